#include "platform/model/data_spec.h"
#include "tests/scenario/graph_folder.h"
#include "tests/scenario/mistake.h"

namespace muster {
namespace {

class mistakes_in_data : public testing::TestWithParam<mistake> {};

TEST_P(mistakes_in_data, are_reported_word_for_word) {
  const mistake& m = GetParam();
  EXPECT_EQ(complaints(with(m.from, m.to)), m.message);
}

const mistake data_mistakes[] = {
    {"need = 1", "need = 1\ninput = -5", "f.toml:7:9: classes.light.input: expected a number >= 0, found -5"},
    {"need = 1", "need = 1\ninput = \"5 Gb\"",
     "f.toml:7:9: classes.light.input: unknown unit 'Gb' of bytes; expected bytes, of 8 bits each, such as '0.625 GB'"},
    {"need = 1", "need = 1\ninput = \"much\"", "f.toml:7:9: classes.light.input: expected a number, found a string"},
    {"need = 1", "need = 1\noutput = { distribution = \"exponential\" }",
     "f.toml:7:10: classes.light.output: exponential: expected {mean} or {rate}, found {}"},
    {"need = 1", "need = 1\ninputs = 5",
     "f.toml:7:10: classes.light.inputs: has no effect without input; expected bytes that jobs read"},
    {"need = 1", "need = 1\noutput = 5\noverlap = true",
     "f.toml:8:11: classes.light.overlap: has no effect without input; expected bytes that jobs read"},
    {"need = 1", "need = 1\noutput = 5\nbroadcast = true",
     "f.toml:8:13: classes.light.broadcast: has no effect without input; expected bytes that jobs read"},
    {"need = 1", "need = 1\ninput = 5\ninputs = 0",
     "f.toml:8:10: classes.light.inputs: expected an integer from 1 to 10000000, found 0"},
    {"need = 1", "need = 1\ninput = 5\ninput_skew = 1.0",
     "f.toml:8:14: classes.light.input_skew: has no effect without inputs; expected the number of data sets"},
    {"need = 1", "need = 1\ninput = 5\ninputs = 2\ninput_skew = 11",
     "f.toml:9:14: classes.light.input_skew: expected a number from 0 to 10, found 11"},
    {"need = 1", "need = 1\ninputt = 5", "f.toml:7:1: classes.light.inputt: unknown key; did you mean 'input'?"},
    {"[[classes]]", "storage = { bandwidth = 1e9 }\n[[classes]]",
     "f.toml:4:11: platform.storage: has no effect, because no class has data; expected input or output of a class"},
    {"cores = 32 }", "cores = 32, disk = { cache = 5 } }",
     "f.toml:3:11: platform.servers: the disk of 'node' has no effect, because no jobs share inputs; expected 'inputs' "
     "of a class"},
    {"cores = 32 }", "cores = 32, disk = { rate = 5 } }",
     "f.toml:3:11: platform.servers: the disk of 'node' has no effect, because no jobs share inputs; expected 'inputs' "
     "of a class\n"
     "f.toml:3:49: platform.servers.node.disk.cache: missing; expected a number > 0"},
};

INSTANTIATE_TEST_SUITE_P(data, mistakes_in_data, testing::ValuesIn(data_mistakes));

TEST(data_of_pooled_jobs, are_refused) {
  EXPECT_EQ(complaints(replaced(pooled_sample, "need = 1", "need = 1\ninput = 5")),
            "f.toml:7:9: classes.x.input: expected no input here, because only rigid jobs have data");
}

// Sweeps may begin at no bytes: nothing is read, and keys beside it are no mistake.
TEST(data_of_jobs, of_no_bytes_are_none) {
  const scenario model = first_point(with("need = 1", "need = 1\ninput = 0\ninputs = 5\nbroadcast = true\noutput = 0"));
  ASSERT_TRUE(model.data);
  EXPECT_FALSE(model.data->classes.at("light").input);
  EXPECT_FALSE(model.data->classes.at("light").output);
}

TEST(data_of_jobs, are_read_with_their_units_and_stand_in_the_resolved_study) {
  const std::string text =
      replaced(with("cores = 32 } ]",
                    "cores = 32, disk = { rate = \"2 GB/s\", cache = \"1 TB\" } } ]\n"
                    "storage = { bandwidth = \"1 GB/s\", latency = \"2 ms\" }"),
               "need = 1",
               "need = 1\ninput = { distribution = \"exponential\", mean = \"3 GB\" }\noutput = \"5 kB\"\ninputs = 7\n"
               "input_skew = 0.5\nbroadcast = true\noverlap = true");
  for (const std::string& given : {text, read(text).resolved}) {
    const scenario model = first_point(given);
    ASSERT_TRUE(model.data);
    EXPECT_EQ(model.data->storage.latency, 0.002);
    EXPECT_EQ(model.data->storage.bandwidth, 1e9);
    EXPECT_EQ(model.data->disks.at("node").rate, 2e9);
    EXPECT_EQ(model.data->disks.at("node").cache, 1e12);
    ASSERT_EQ(model.data->classes.size(), 1u);
    const class_data& light = model.data->classes.at("light");
    EXPECT_EQ(light.input->mean(), 3e9);
    EXPECT_EQ(light.output->mean(), 5e3);
    EXPECT_EQ(light.inputs, 7u);
    EXPECT_EQ(light.input_skew, 0.5);
    EXPECT_TRUE(light.broadcast);
    EXPECT_TRUE(light.overlap);
  }
}

TEST(data_of_jobs, are_absent_without_their_keys) { EXPECT_EQ(first_point(sample).data, nullptr); }

}  // namespace
}  // namespace muster
