"""Decides message passing in the scope of a CTA and of the GPU."""

import ptxmc

TEST = r"""PTX MP
{ data = 0; flag = 0; }
 P0@cta 0,gpu 0         | P1@cta 1,gpu 0            ;
 st.weak data, 42       | ld.acquire.SCOPE r0, flag ;
 st.release.gpu flag, 1 | ld.weak r1, data          ;
exists (P1:r0 == 1 /\ P1:r1 == 0)
"""

answer = ptxmc.litmus(TEST.replace("SCOPE", "cta"))
print(f"{answer.word}, {len(answer.states)} states")
print(ptxmc.litmus(TEST.replace("SCOPE", "gpu"), engine="both").word)
