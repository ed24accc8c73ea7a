#include "muster/modules/protocol/payload_attributes.h"

#include <algorithm>

namespace muster {

using namespace tlm;

std::optional<broken_rule> improper_request(const tlm_generic_payload& p) {
  const bool moves_data = p.get_command() != TLM_IGNORE_COMMAND;
  if (moves_data && !p.get_data_ptr()) return broken_rule{"the data pointer of a request is null", "14.11 e)"};
  if (moves_data && p.get_data_length() == 0) return broken_rule{"the data length of a request is 0", "14.12 d)"};
  if (p.get_byte_enable_ptr() && p.get_byte_enable_length() == 0)
    return broken_rule{"a request has byte enables of length 0", "14.14 f)"};
  if (p.get_streaming_width() == 0) return broken_rule{"the streaming width of a request is 0", "14.15 f)"};
  if (p.is_dmi_allowed()) return broken_rule{"the DMI hint of a request is set", "14.16"};
  if (p.get_response_status() != TLM_INCOMPLETE_RESPONSE)
    return broken_rule{"the response status of a request is not TLM_INCOMPLETE_RESPONSE", "14.17 e)"};
  if (p.get_gp_option() != TLM_MIN_PAYLOAD)
    return broken_rule{"the option attribute of a request is not TLM_MIN_PAYLOAD", "14.8 g)"};
  return std::nullopt;
}

payload_attributes::payload_attributes(const tlm_generic_payload& p)
    : command_(p.get_command()),
      address_(p.get_address()),
      data_(p.get_data_ptr()),
      length_(p.get_data_length()),
      width_(p.get_streaming_width()),
      enables_(p.get_byte_enable_ptr()),
      enables_length_(p.get_byte_enable_length()),
      option_(p.get_gp_option()),
      managed_(p.has_mm()) {
  if (p.is_write() && data_) written_.assign(data_, data_ + length_);
  if (enables_) enabled_.assign(enables_, enables_ + enables_length_);
  if (managed_) return;
  for (unsigned id = 0; id < max_num_extensions(); ++id) extensions_.push_back(p.get_extension(id));
}

std::optional<broken_rule> payload_attributes::change_in(const tlm_generic_payload& p, bool address_stays) const {
  if (p.get_command() != command_) return broken_rule{"the command was changed on the way", "14.7"};
  if (address_stays && p.get_address() != address_)
    return broken_rule{"the address was changed on the way, where no interconnect may translate it", "14.7"};
  if (p.get_data_ptr() != data_) return broken_rule{"the data pointer was changed on the way", "14.7"};
  if (p.get_data_length() != length_) return broken_rule{"the data length was changed on the way", "14.7"};
  if (p.get_byte_enable_ptr() != enables_) return broken_rule{"the byte enable pointer was changed on the way", "14.7"};
  if (p.get_byte_enable_length() != enables_length_)
    return broken_rule{"the byte enable length was changed on the way", "14.7"};
  if (p.get_streaming_width() != width_) return broken_rule{"the streaming width was changed on the way", "14.7"};
  if (p.get_gp_option() != option_) return broken_rule{"the option attribute was changed on the way", "14.8 g)"};
  return std::nullopt;
}

std::optional<broken_rule> payload_attributes::change_of_data(const tlm_generic_payload& p) const {
  if (!std::equal(written_.begin(), written_.end(), p.get_data_ptr()))
    return broken_rule{"the data of a write were changed on the way", "14.7"};
  if (!std::equal(enabled_.begin(), enabled_.end(), p.get_byte_enable_ptr()))
    return broken_rule{"the byte enables were changed on the way", "14.7"};
  return std::nullopt;
}

std::optional<broken_rule> payload_attributes::left_behind_in(const tlm_generic_payload& p) const {
  if (managed_) return std::nullopt;
  if (p.has_mm()) return broken_rule{"a memory manager was set on the way and not cleared", "14.5 aa)"};
  for (unsigned id = 0; id < max_num_extensions(); ++id)
    if (p.get_extension(id) && (id >= extensions_.size() || !extensions_[id]))
      return broken_rule{"an extension was set on the way and not cleared, without a memory manager", "14.5 aa)"};
  return std::nullopt;
}

}  // namespace muster
