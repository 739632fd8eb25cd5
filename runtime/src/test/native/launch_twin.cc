// The bare C API doing what LaunchBenchmark does through Java: one executable, launched again and
// again on all devices, each launch awaited, its results destroyed. Declarations are the shim's.
//
// launch_twin PLUGIN PROGRAM FORMAT OPTIONS DEVICES ELEMENTS: reads counts of launches from standard
// input, a line each, and answers with wall and processor time in nanoseconds and the first element
// that device 0 got.
#include <dlfcn.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "../../main/native/pjrt_abi.h"

namespace {

const pjrt::Api* api;

void fail(const std::string& message) {
  std::fprintf(stderr, "launch_twin: %s\n", message.c_str());
  std::exit(1);
}

template <typename Args>
void call(pjrt::Slot slot, Args& args) {
  reinterpret_cast<pjrt::Head*>(&args)->struct_size = sizeof(Args);
  pjrt::Error* error = api->functions[slot](&args);
  if (error != nullptr) {
    pjrt::Text text = {};
    text.head.struct_size = sizeof(text);
    text.object = error;
    reinterpret_cast<void (*)(void*)>(
        reinterpret_cast<void*>(api->functions[pjrt::kErrorMessage]))(&text);
    fail(std::string(text.text, text.size));
  }
}

void one(pjrt::Slot slot, void* object) {
  pjrt::OnePointer args = {};
  args.object = object;
  call(slot, args);
}

std::string file(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

long long now(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    fail("PLUGIN PROGRAM FORMAT OPTIONS DEVICES ELEMENTS");
  }
  setenv("TF_CPP_MIN_LOG_LEVEL", "2", 0);
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    fail(dlerror());
  }
  api = reinterpret_cast<const pjrt::Api* (*)()>(dlsym(library, "GetPjrtApi"))();
  pjrt::Head initialize = {};
  call(pjrt::kPluginInitialize, initialize);
  size_t devices = std::stoul(argv[5]);
  int64_t elements = std::stol(argv[6]);

  const char* count_name = "cpu_device_count";
  pjrt::NamedValue count = {};
  count.head.struct_size = sizeof(count);
  count.name = count_name;
  count.name_size = std::string(count_name).size();
  count.type = pjrt::kInt64;
  count.int64_value = static_cast<int64_t>(devices);
  count.value_size = 1;
  pjrt::ClientCreate create = {};
  create.options = &count;
  create.option_count = 1;
  call(pjrt::kClientCreate, create);
  pjrt::PointerList list = {};
  list.object = create.client;
  call(pjrt::kClientAddressableDevices, list);

  std::string program = file(argv[2]);
  std::string format = argv[3];
  std::string options = file(argv[4]);
  pjrt::Program code = {};
  code.head.struct_size = sizeof(code);
  code.code = program.data();
  code.code_size = program.size();
  code.format = format.data();
  code.format_size = format.size();
  pjrt::ClientCompile compile = {};
  compile.client = create.client;
  compile.program = &code;
  compile.options = options.data();
  compile.options_size = options.size();
  call(pjrt::kClientCompile, compile);

  std::vector<pjrt::Buffer*> arguments;
  for (size_t d = 0; d < devices; d++) {
    std::vector<float> data(static_cast<size_t>(elements), static_cast<float>(d + 1));
    pjrt::BufferFromHost put = {};
    put.client = create.client;
    put.data = data.data();
    put.type = 11;  // F32
    put.dims = &elements;
    put.rank = 1;
    put.device = static_cast<pjrt::Device*>(list.items[d]);
    call(pjrt::kClientBufferFromHostBuffer, put);
    one(pjrt::kEventAwait, put.done);
    one(pjrt::kEventDestroy, put.done);
    arguments.push_back(put.buffer);
  }

  std::vector<pjrt::Buffer* const*> argument_lists(devices);
  std::vector<pjrt::Buffer*> results(devices);
  std::vector<pjrt::Buffer**> output_lists(devices);
  std::vector<pjrt::Event*> complete(devices);
  for (size_t d = 0; d < devices; d++) {
    argument_lists[d] = &arguments[d];
    output_lists[d] = &results[d];
  }
  int64_t keep = 0;
  int launches = 0;
  std::string line;
  while (std::getline(std::cin, line)) {
    long times = std::stol(line);
    float first = 0;
    long long wall = now(CLOCK_MONOTONIC);
    long long processor = now(CLOCK_PROCESS_CPUTIME_ID);
    for (long i = 0; i < times; i++) {
      pjrt::ExecuteOptions how = {};
      how.head.struct_size = sizeof(how);
      how.launch_id = ++launches;
      how.non_donatable = &keep;
      how.non_donatable_count = 1;
      pjrt::Execute execute = {};
      execute.executable = compile.executable;
      execute.options = &how;
      execute.arguments = argument_lists.data();
      execute.device_count = devices;
      execute.argument_count = 1;
      execute.outputs = output_lists.data();
      execute.complete = complete.data();
      call(pjrt::kLoadedExecutableExecute, execute);
      for (size_t d = 0; d < devices; d++) {
        one(pjrt::kEventAwait, complete[d]);
        one(pjrt::kEventDestroy, complete[d]);
      }
      if (i + 1 == times) {
        std::vector<float> data(static_cast<size_t>(elements));
        pjrt::BufferToHost get = {};
        get.source = results[0];
        get.destination = data.data();
        get.size = data.size() * sizeof(float);
        call(pjrt::kBufferToHostBuffer, get);
        one(pjrt::kEventAwait, get.event);
        one(pjrt::kEventDestroy, get.event);
        first = data[0];
      }
      for (pjrt::Buffer* buffer : results) {
        one(pjrt::kBufferDestroy, buffer);
      }
    }
    processor = now(CLOCK_PROCESS_CPUTIME_ID) - processor;
    wall = now(CLOCK_MONOTONIC) - wall;
    std::printf("%lld %lld %g\n", wall, processor, static_cast<double>(first));
    std::fflush(stdout);
  }
  for (pjrt::Buffer* buffer : arguments) {
    one(pjrt::kBufferDestroy, buffer);
  }
  one(pjrt::kLoadedExecutableDestroy, compile.executable);
  one(pjrt::kClientDestroy, create.client);
  return 0;
}
