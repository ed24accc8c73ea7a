#include "tests/modules/faulty_hop.h"

namespace muster {
namespace {

using attribute_violation = faulty_hop;

// Attributes at the request.

TEST_F(attribute_violation, request_without_data) {
  improper("the data pointer of a request is null (IEEE 1666-2011, 14.11 e))",
           [](payload& p) { p.set_data_ptr(nullptr); });
}

TEST_F(attribute_violation, request_of_length_0) {
  improper("the data length of a request is 0 (IEEE 1666-2011, 14.12 d))", [](payload& p) { p.set_data_length(0); });
}

TEST_F(attribute_violation, request_with_byte_enables_of_length_0) {
  improper("a request has byte enables of length 0 (IEEE 1666-2011, 14.14 f))",
           [](payload& p) { p.set_byte_enable_length(0); });
}

TEST_F(attribute_violation, request_of_streaming_width_0) {
  improper("the streaming width of a request is 0 (IEEE 1666-2011, 14.15 f))",
           [](payload& p) { p.set_streaming_width(0); });
}

TEST_F(attribute_violation, request_with_dmi_hint) {
  improper("the DMI hint of a request is set (IEEE 1666-2011, 14.16)", [](payload& p) { p.set_dmi_allowed(true); });
}

TEST_F(attribute_violation, request_that_is_answered_already) {
  improper("the response status of a request is not TLM_INCOMPLETE_RESPONSE (IEEE 1666-2011, 14.17 e))",
           [](payload& p) { p.set_response_status(tlm::TLM_OK_RESPONSE); });
}

TEST_F(attribute_violation, request_with_an_option) {
  improper("the option attribute of a request is not TLM_MIN_PAYLOAD (IEEE 1666-2011, 14.8 g))",
           [](payload& p) { p.set_gp_option(tlm::TLM_FULL_PAYLOAD); });
}

// Attributes on the way.

TEST_F(attribute_violation, command_changed) {
  changed_on_the_way("the command was changed on the way (IEEE 1666-2011, 14.7)", [](payload& p) { p.set_read(); });
}

TEST_F(attribute_violation, address_changed_where_nobody_translates) {
  changed_on_the_way(
      "the address was changed on the way, where no interconnect may translate it (IEEE 1666-2011, 14.7)",
      [](payload& p) { p.set_address(0x140); });
}

TEST_F(attribute_violation, data_pointer_changed) {
  static std::uint64_t other[2];
  changed_on_the_way("the data pointer was changed on the way (IEEE 1666-2011, 14.7)",
                     [](payload& p) { p.set_data_ptr(reinterpret_cast<unsigned char*>(other)); });
}

TEST_F(attribute_violation, data_length_changed) {
  changed_on_the_way("the data length was changed on the way (IEEE 1666-2011, 14.7)",
                     [](payload& p) { p.set_data_length(8); });
}

TEST_F(attribute_violation, data_of_a_write_changed) {
  changed_on_the_way("the data of a write were changed on the way (IEEE 1666-2011, 14.7)",
                     [](payload& p) { ++*p.get_data_ptr(); });
}

TEST_F(attribute_violation, byte_enable_pointer_changed) {
  changed_on_the_way("the byte enable pointer was changed on the way (IEEE 1666-2011, 14.7)",
                     [](payload& p) { p.set_byte_enable_ptr(nullptr); });
}

TEST_F(attribute_violation, byte_enable_length_changed) {
  changed_on_the_way("the byte enable length was changed on the way (IEEE 1666-2011, 14.7)",
                     [](payload& p) { p.set_byte_enable_length(1); });
}

TEST_F(attribute_violation, byte_enables_changed) {
  changed_on_the_way("the byte enables were changed on the way (IEEE 1666-2011, 14.7)",
                     [](payload& p) { *p.get_byte_enable_ptr() = 0; });
}

TEST_F(attribute_violation, streaming_width_changed) {
  changed_on_the_way("the streaming width was changed on the way (IEEE 1666-2011, 14.7)",
                     [](payload& p) { p.set_streaming_width(8); });
}

TEST_F(attribute_violation, attributes_changed_after_the_response) {
  expect("the data length was changed on the way (IEEE 1666-2011, 14.7)", [&](auto& me) {
    me.send(me.first);
    target.respond(me.first);
    me.first.set_data_length(8);
    me.send(me.first, tlm::END_RESP);
  });
}

}  // namespace
}  // namespace muster
