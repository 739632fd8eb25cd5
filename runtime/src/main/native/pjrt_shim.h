// Calls into a plugin as Lockstep makes them: one function for what is done together, errors as a
// code and a text, nothing kept between calls. The JNI functions are thin around these, and so is
// the benchmark that compares them with themselves outside of Java.
#pragma once

#include <string>
#include <vector>

#include "pjrt_abi.h"

namespace shim {

// An error of a plugin, or of ours under the plugin's codes.
struct Failure {
  int code;
  std::string message;
};

// Codes of errors that are ours.
enum Code : int {
  kInvalidArgument = 3,
  kNotFound = 5,
  kFailedPrecondition = 9,
  kUnimplemented = 12,
};

class Plugin {
 public:
  // Loads the library and checks its version and table; throws Failure.
  static const Plugin* open(const std::string& path);

  const pjrt::Api& api() const { return *api_; }

  // Calls function `slot` with `args`, of which `size` bytes are meant; throws Failure.
  void call(pjrt::Slot slot, void* args, size_t size) const;

  template <typename Args>
  void call(pjrt::Slot slot, Args& args) const {
    call(slot, &args, sizeof(Args));
  }

  // Waits for `event` and destroys it; throws what it failed with.
  void await(pjrt::Event* event) const;

  void destroy(pjrt::Slot slot, void* object) const;

 private:
  explicit Plugin(const pjrt::Api* api) : api_(api) {}

  [[noreturn]] void raise(pjrt::Error* error) const;

  const pjrt::Api* api_;
};

// One launch of an executable. The arrays are the caller's and stay unchanged meanwhile.
struct Launch {
  pjrt::LoadedExecutable* executable;
  pjrt::Buffer* const* arguments;  // those of the first device, then of the second
  size_t argument_count;           // of all devices together
  size_t devices;
  size_t outputs;  // of each device
  const int64_t* keep;  // arguments that the program may not take over
  size_t keep_count;
  int launch_id;
  pjrt::Device* device;  // or null for all devices
};

// Puts a launch on its way. `results` gets a buffer for each output, those of the first device
// first; `events` gets an event for each device, which the caller waits for and destroys.
void launch(const Plugin& plugin, const Launch& what, pjrt::Buffer** results,
            pjrt::Event** events);

// As `launch`, and waits for the end; after a failure there are no results.
void execute(const Plugin& plugin, const Launch& what, pjrt::Buffer** results);

// Waits for all events and destroys them; throws the first failure.
void awaitAll(const Plugin& plugin, pjrt::Event* const* events, size_t count);

// Copies row-major data to a device; `data` is free again when this returns.
pjrt::Buffer* toDevice(const Plugin& plugin, pjrt::Client* client, pjrt::Device* device, int type,
                       const std::vector<int64_t>& dims, const void* data);

// Returns the bytes that `buffer` takes on the host.
size_t hostSize(const Plugin& plugin, pjrt::Buffer* buffer, size_t rank);

// Copies a buffer to the host, row-major.
void toHost(const Plugin& plugin, pjrt::Buffer* buffer, size_t rank, void* data, size_t size);

pjrt::LoadedExecutable* compile(const Plugin& plugin, pjrt::Client* client,
                                const std::string& program, const std::string& format,
                                const std::string& options);

}  // namespace shim
