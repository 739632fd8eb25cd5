#include "pjrt_shim.h"

#include <dlfcn.h>

#include <cstdlib>
#include <map>
#include <mutex>

namespace shim {
namespace {

using pjrt::Buffer;
using pjrt::Error;
using pjrt::Event;

// Plugins stay loaded: they own threads, and unloading one is unsafe.
std::mutex plugins_lock;
std::map<std::string, const Plugin*> plugins;

std::string version(const pjrt::Api& api) {
  return std::to_string(api.major) + "." + std::to_string(api.minor);
}

pjrt::MemoryLayout rowMajor(std::vector<int64_t>& order, size_t rank) {
  order.clear();
  for (size_t i = rank; i > 0; i--) {
    order.push_back(static_cast<int64_t>(i - 1));
  }
  pjrt::MemoryLayout layout = {};
  // Up to the last field: the struct ends with a 4-byte number.
  layout.head.struct_size = offsetof(pjrt::MemoryLayout, type) + sizeof(layout.type);
  layout.tiled.head.struct_size = sizeof(pjrt::TiledLayout);
  layout.tiled.minor_to_major = order.data();
  layout.tiled.minor_to_major_size = rank;
  return layout;
}

// Returns a function of the table that gives nothing back, unlike the others.
void (*silent(pjrt::Function function))(void*) {
  return reinterpret_cast<void (*)(void*)>(reinterpret_cast<void*>(function));
}

}  // namespace

const Plugin* Plugin::open(const std::string& path) {
  std::lock_guard<std::mutex> hold(plugins_lock);
  auto known = plugins.find(path);
  if (known != plugins.end()) {
    return known->second;
  }
  // XLA tells everybody about everything; what is an error comes back as one.
  setenv("TF_CPP_MIN_LOG_LEVEL", "2", 0);
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    throw Failure{kNotFound, reason == nullptr ? "it cannot be loaded" : reason};
  }
  auto entry = reinterpret_cast<const pjrt::Api* (*)()>(dlsym(library, "GetPjrtApi"));
  if (entry == nullptr) {
    throw Failure{kInvalidArgument, path + " is no PJRT plugin: it exports no GetPjrtApi"};
  }
  const pjrt::Api* api = entry();
  if (api == nullptr) {
    throw Failure{kFailedPrecondition, path + ": GetPjrtApi gave nothing"};
  }
  if (api->version_struct_size < 24 || api->struct_size < offsetof(pjrt::Api, functions)) {
    throw Failure{kFailedPrecondition, path + ": its table of functions is cut short"};
  }
  if (api->major != 0) {
    throw Failure{kFailedPrecondition,
                  path + " speaks PJRT " + version(*api) + "; Lockstep speaks version 0"};
  }
  size_t needed = offsetof(pjrt::Api, functions) + 8 * pjrt::kSlotsKnownSince069;
  if (api->struct_size < needed) {
    throw Failure{kFailedPrecondition, path + " speaks PJRT " + version(*api) +
                                           ", which is older than 0.69: its table has " +
                                           std::to_string(api->struct_size) + " bytes, not " +
                                           std::to_string(needed)};
  }
  const Plugin* plugin = new Plugin(api);
  pjrt::Head initialize = {};
  plugin->call(pjrt::kPluginInitialize, initialize);
  plugins[path] = plugin;
  return plugin;
}

void Plugin::call(pjrt::Slot slot, void* args, size_t size) const {
  size_t end = offsetof(pjrt::Api, functions) + 8 * (static_cast<size_t>(slot) + 1);
  pjrt::Function function = api_->struct_size < end ? nullptr : api_->functions[slot];
  if (function == nullptr) {
    throw Failure{kUnimplemented, "the plugin (PJRT " + version(*api_) + ") has no function " +
                                      std::to_string(slot)};
  }
  static_cast<pjrt::Head*>(args)->struct_size = size;
  Error* error = function(args);
  if (error != nullptr) {
    raise(error);
  }
}

void Plugin::raise(Error* error) const {
  Failure failure = {2, ""};
  pjrt::Number code = {};
  code.head.struct_size = offsetof(pjrt::Number, value) + sizeof(code.value);
  code.object = error;
  Error* second = api_->functions[pjrt::kErrorGetCode](&code);
  if (second == nullptr) {
    failure.code = code.value;
  } else {
    destroy(pjrt::kErrorDestroy, second);
  }
  pjrt::Text text = {};
  text.head.struct_size = sizeof(text);
  text.object = error;
  silent(api_->functions[pjrt::kErrorMessage])(&text);
  failure.message.assign(text.text == nullptr ? "" : text.text, text.size);
  destroy(pjrt::kErrorDestroy, error);
  throw failure;
}

void Plugin::destroy(pjrt::Slot slot, void* object) const {
  if (object == nullptr) {
    return;
  }
  pjrt::OnePointer args = {};
  args.object = object;
  if (slot == pjrt::kErrorDestroy) {
    args.head.struct_size = sizeof(args);
    silent(api_->functions[slot])(&args);
  } else {
    call(slot, args);
  }
}

void Plugin::await(Event* event) const {
  if (event == nullptr) {
    return;
  }
  pjrt::OnePointer args = {};
  args.object = event;
  try {
    call(pjrt::kEventAwait, args);
  } catch (...) {
    destroy(pjrt::kEventDestroy, event);
    throw;
  }
  destroy(pjrt::kEventDestroy, event);
}

void launch(const Plugin& plugin, const Launch& what, Buffer** results, Event** events) {
  // Kept between launches of a thread: a launch allocates nothing here.
  thread_local std::vector<Buffer* const*> argument_lists;
  thread_local std::vector<Buffer**> output_lists;
  size_t count = what.devices == 0 ? 0 : what.argument_count / what.devices;
  argument_lists.resize(what.devices);
  output_lists.resize(what.devices);
  for (size_t d = 0; d < what.devices; d++) {
    argument_lists[d] = what.arguments + d * count;
    output_lists[d] = results + d * what.outputs;
    events[d] = nullptr;
  }
  pjrt::ExecuteOptions options = {};
  options.head.struct_size = sizeof(options);
  options.launch_id = what.launch_id;
  options.non_donatable = what.keep;
  options.non_donatable_count = what.keep_count;
  pjrt::Execute args = {};
  args.executable = what.executable;
  args.options = &options;
  args.arguments = argument_lists.data();
  args.device_count = what.devices;
  args.argument_count = count;
  args.outputs = output_lists.data();
  args.complete = events;
  args.device = what.device;
  plugin.call(pjrt::kLoadedExecutableExecute, args);
}

void awaitAll(const Plugin& plugin, Event* const* events, size_t count) {
  // All end before the first failure is told: nothing runs on behind the caller's back.
  bool failed = false;
  Failure first = {};
  for (size_t i = 0; i < count; i++) {
    try {
      plugin.await(events[i]);
    } catch (const Failure& failure) {
      if (!failed) {
        first = failure;
      }
      failed = true;
    }
  }
  if (failed) {
    throw first;
  }
}

void execute(const Plugin& plugin, const Launch& what, Buffer** results) {
  thread_local std::vector<Event*> events;
  events.resize(what.devices);
  launch(plugin, what, results, events.data());
  try {
    awaitAll(plugin, events.data(), what.devices);
  } catch (const Failure&) {
    for (size_t i = 0; i < what.devices * what.outputs; i++) {
      try {
        plugin.destroy(pjrt::kBufferDestroy, results[i]);
      } catch (const Failure&) {
        // The first error says more.
      }
    }
    throw;
  }
}

Buffer* toDevice(const Plugin& plugin, pjrt::Client* client, pjrt::Device* device, int type,
                 const std::vector<int64_t>& dims, const void* data) {
  static const char nothing[64] = {};
  pjrt::BufferFromHost args = {};
  args.client = client;
  args.data = data == nullptr ? nothing : data;
  args.type = type;
  args.dims = dims.data();
  args.rank = dims.size();
  args.device = device;
  plugin.call(pjrt::kClientBufferFromHostBuffer, args);
  try {
    plugin.await(args.done);
  } catch (...) {
    plugin.destroy(pjrt::kBufferDestroy, args.buffer);
    throw;
  }
  return args.buffer;
}

size_t hostSize(const Plugin& plugin, Buffer* buffer, size_t rank) {
  std::vector<int64_t> order;
  pjrt::MemoryLayout layout = rowMajor(order, rank);
  pjrt::BufferToHost args = {};
  args.source = buffer;
  args.layout = &layout;
  plugin.call(pjrt::kBufferToHostBuffer, args);
  return args.size;
}

void toHost(const Plugin& plugin, Buffer* buffer, size_t rank, void* data, size_t size) {
  char nothing[8];
  std::vector<int64_t> order;
  pjrt::MemoryLayout layout = rowMajor(order, rank);
  pjrt::BufferToHost args = {};
  args.source = buffer;
  args.layout = &layout;
  // A null destination asks for the size.
  args.destination = data == nullptr ? nothing : data;
  args.size = size;
  plugin.call(pjrt::kBufferToHostBuffer, args);
  plugin.await(args.event);
}

pjrt::LoadedExecutable* compile(const Plugin& plugin, pjrt::Client* client,
                                const std::string& program, const std::string& format,
                                const std::string& options) {
  pjrt::Program code = {};
  code.head.struct_size = sizeof(code);
  code.code = const_cast<char*>(program.data());
  code.code_size = program.size();
  code.format = format.data();
  code.format_size = format.size();
  pjrt::ClientCompile args = {};
  args.client = client;
  args.program = &code;
  args.options = options.data();
  args.options_size = options.size();
  plugin.call(pjrt::kClientCompile, args);
  return args.executable;
}

}  // namespace shim
