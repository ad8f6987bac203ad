#include "semantics/language/opaque_object.hpp"

namespace ptxmc {

namespace {

constexpr std::uint64_t mark = 0x7465'7875'7265'0000;  // of the first word of a descriptor
constexpr std::uint64_t mark_bits = ~std::uint64_t{0xffff};

/// Fields of a word, the lowest first.
class Fields {
 public:
  explicit Fields(std::uint64_t word = 0) : word_(word) {}

  void put(std::uint64_t value, unsigned width) {
    word_ |= value << at_;
    at_ += width;
  }
  std::uint64_t take(unsigned width) {
    const std::uint64_t value = word_ >> at_ & ((std::uint64_t{1} << width) - 1);
    at_ += width;
    return value;
  }
  std::uint64_t word() const { return word_; }

 private:
  std::uint64_t word_;
  unsigned at_ = 0;
};

/// A number that may be missing, in one more than its range.
template <class Number>
std::uint64_t optional_number(const std::optional<Number>& number) {
  return number ? static_cast<std::uint64_t>(*number) + 1 : 0;
}

std::uint64_t sampler_word(const Sampler& sampler) {
  Fields fields;
  for (const AddressMode mode : sampler.address) fields.put(static_cast<std::uint64_t>(mode), 8);
  fields.put(sampler.is_linear ? 1 : 0, 8);
  fields.put(optional_number(sampler.is_normalized), 8);
  fields.put(optional_number(sampler.comparison), 8);
  return fields.word();
}

Sampler sampler_in(std::uint64_t word) {
  Fields fields(word);
  Sampler sampler;
  for (AddressMode& mode : sampler.address) mode = static_cast<AddressMode>(fields.take(8));
  sampler.is_linear = fields.take(8) != 0;
  if (const std::uint64_t normalized = fields.take(8)) sampler.is_normalized = normalized == 2;
  if (const std::uint64_t comparison = fields.take(8))
    sampler.comparison = static_cast<DepthComparison>(comparison - 1);
  return sampler;
}

std::uint64_t format_word(const OpaqueObject& object) {
  Fields fields;
  fields.put(static_cast<std::uint64_t>(object.channel.kind), 8);
  fields.put(object.channel.width, 8);
  fields.put(optional_number(object.channel.format), 8);
  fields.put(object.channels, 8);
  fields.put(object.is_normalized_number ? 1 : 0, 8);
  fields.put(object.dimensions, 8);
  fields.put(object.is_cube ? 1 : 0, 8);
  fields.put(object.is_linear_memory ? 1 : 0, 8);
  return fields.word();
}

void take_format(std::uint64_t word, OpaqueObject& object) {
  Fields fields(word);
  object.channel.kind = static_cast<Type::Kind>(fields.take(8));
  object.channel.width = static_cast<std::uint16_t>(fields.take(8));
  if (const std::uint64_t format = fields.take(8))
    object.channel.format = static_cast<FloatFormat>(format - 1);
  object.channels = static_cast<unsigned>(fields.take(8));
  object.is_normalized_number = fields.take(8) != 0;
  object.dimensions = static_cast<unsigned>(fields.take(8));
  object.is_cube = fields.take(8) != 0;
  object.is_linear_memory = fields.take(8) != 0;
}

}  // namespace

Bits may_be_handle(const Bits& value) {
  const Bits offset = value - Bits(64, first_handle);
  const Bits is_multiple = equal(offset & Bits(64, spacing_of_handles - 1), Bits(64, 0));
  return less_unsigned(offset, Bits(64, window_size / 2)) & is_multiple;
}

DescriptorWords descriptor_of(const OpaqueObject& object) {
  return {mark | static_cast<std::uint64_t>(object.kind),
          optional_number(object.address),
          sampler_word(object.sampler),
          format_word(object),
          object.size[0],
          object.size[1],
          object.size[2],
          optional_number(object.layers)};
}

std::optional<OpaqueObject> described_object(const DescriptorWords& words) {
  if ((words[0] & mark_bits) != mark) return std::nullopt;
  OpaqueObject object;
  object.kind = static_cast<OpaqueObject::Kind>(words[0] & ~mark_bits);
  if (words[1] != 0) object.address = words[1] - 1;
  object.sampler = sampler_in(words[2]);
  take_format(words[3], object);
  for (std::size_t i = 0; i < object.size.size(); ++i)
    object.size[i] = static_cast<std::uint32_t>(words[4 + i]);
  if (words[7] != 0) object.layers = static_cast<std::uint32_t>(words[7] - 1);
  return object;
}

}  // namespace ptxmc
