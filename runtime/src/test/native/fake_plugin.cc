// A plugin that has a table and does nothing: of another major version (-DMAJOR=1), with a short
// table (-DFUNCTIONS=20), or without functions. With -DNODES it is one process of two: opening
// devices puts a greeting under its node_id and gets that of the other, which is its platform.
#include <string>

#include "../../main/native/pjrt_abi.h"

#ifndef MAJOR
#define MAJOR 0
#endif
#ifndef FUNCTIONS
#define FUNCTIONS 113
#endif

namespace {

struct Table {
  size_t struct_size;
  pjrt::Extension* extension_start;
  size_t version_struct_size;
  void* version_extension_start;
  int32_t major;
  int32_t minor;
  pjrt::Function functions[FUNCTIONS];
};

pjrt::Error* nothing(void*) { return nullptr; }

Table table = {};

#ifdef NODES
struct Failed {
  int32_t code;
  std::string message;
};

pjrt::Error* fail(int32_t code, const char* message, size_t size) {
  return reinterpret_cast<pjrt::Error*>(new Failed{code, std::string(message, size)});
}

pjrt::ErrorMaker maker = fail;

pjrt::Error* message(void* raw) {
  auto* args = static_cast<pjrt::Text*>(raw);
  auto* failed = static_cast<Failed*>(args->object);
  args->text = failed->message.data();
  args->size = failed->message.size();
  return nullptr;
}

pjrt::Error* code(void* raw) {
  auto* args = static_cast<pjrt::Number*>(raw);
  args->value = static_cast<Failed*>(args->object)->code;
  return nullptr;
}

pjrt::Error* forget(void* raw) {
  delete static_cast<Failed*>(static_cast<pjrt::OnePointer*>(raw)->object);
  return nullptr;
}

pjrt::Error* put(pjrt::ClientCreate* create, const std::string& key, const std::string& value) {
  pjrt::KeyValuePut args = {};
  args.key = key.data();
  args.key_size = key.size();
  args.value = value.data();
  args.value_size = value.size();
  args.make_error = &maker;
  args.user_argument = create->put_argument;
  return reinterpret_cast<pjrt::Error* (*)(pjrt::KeyValuePut*)>(create->put_callback)(&args);
}

// Asks with a time, or without one when that is negative.
pjrt::Error* get(pjrt::ClientCreate* create, const std::string& key, int32_t timeout,
                 std::string& out) {
  if (timeout < 0) {
    pjrt::KeyValueTryGet args = {};
    args.key = key.data();
    args.key_size = key.size();
    args.make_error = &maker;
    args.user_argument = create->try_get_argument;
    auto call = reinterpret_cast<pjrt::Error* (*)(pjrt::KeyValueTryGet*)>(create->try_get_callback);
    pjrt::Error* error = call(&args);
    if (error == nullptr) {
      out.assign(args.value, args.value_size);
      args.delete_value(args.value);
    }
    return error;
  }
  pjrt::KeyValueGet args = {};
  args.key = key.data();
  args.key_size = key.size();
  args.timeout_ms = timeout;
  args.make_error = &maker;
  args.user_argument = create->get_argument;
  auto call = reinterpret_cast<pjrt::Error* (*)(pjrt::KeyValueGet*)>(create->get_callback);
  pjrt::Error* error = call(&args);
  if (error == nullptr) {
    out.assign(args.value, args.value_size);
    args.delete_value(args.value);
  }
  return error;
}

pjrt::Error* create(void* raw) {
  auto* args = static_cast<pjrt::ClientCreate*>(raw);
  if (args->get_callback == nullptr) {
    return fail(9, "no store", 8);
  }
  int64_t node = 0;
  int64_t timeout = 0;
  for (size_t i = 0; i < args->option_count; i++) {
    std::string name(args->options[i].name, args->options[i].name_size);
    (name == "node_id" ? node : timeout) = args->options[i].int64_value;
  }
  std::string own = "node/" + std::to_string(node);
  pjrt::Error* error = put(args, own, std::string("from \0 ", 7) + own);
  auto* platform = new std::string();
  if (error == nullptr) {
    error = get(args, "node/" + std::to_string(1 - node), static_cast<int32_t>(timeout), *platform);
  }
  if (error == nullptr && timeout > 0) {
    error = get(args, own, -1, *new std::string());
  }
  args->client = reinterpret_cast<pjrt::Client*>(platform);
  return error;
}

pjrt::Error* platform(void* raw) {
  auto* args = static_cast<pjrt::Text*>(raw);
  auto* text = static_cast<std::string*>(args->object);
  args->text = text->data();
  args->size = text->size();
  return nullptr;
}

void fill() {
  table.functions[pjrt::kErrorDestroy] = forget;
  table.functions[pjrt::kErrorMessage] = message;
  table.functions[pjrt::kErrorGetCode] = code;
  table.functions[pjrt::kClientCreate] = create;
  table.functions[pjrt::kClientDestroy] = nothing;
  table.functions[pjrt::kClientPlatformName] = platform;
  table.functions[pjrt::kClientPlatformVersion] = platform;
  table.functions[pjrt::kClientAddressableDevices] = nothing;
}
#else
void fill() {}
#endif

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* GetPjrtApi() {
  table.struct_size = sizeof(Table);
  table.version_struct_size = 24;
  table.major = MAJOR;
  table.minor = 90;
  if (FUNCTIONS > pjrt::kPluginInitialize) {
    table.functions[pjrt::kPluginInitialize] = nothing;
  }
  fill();
  return &table;
}
