// JNI: arrays and strings in, arrays and strings out, errors as PjrtException. The functions of
// dev.lockstep.runtime.pjrt.PjrtNative, which says what they do; Java checks handles before.
#include <jni.h>

#include <cstdlib>
#include <cstring>

#include "pjrt_key_values.h"
#include "pjrt_shim.h"

namespace {

using shim::Failure;
using shim::KeyValues;
using shim::Plugin;

void raise(JNIEnv* env, const Failure& failure) {
  if (env->ExceptionCheck()) {
    return;
  }
  jclass type = env->FindClass("dev/lockstep/runtime/pjrt/PjrtException");
  if (type == nullptr) {
    return;
  }
  jmethodID make = env->GetMethodID(type, "<init>", "(I[B)V");
  if (make == nullptr) {
    return;
  }
  // As bytes: texts of plugins are UTF-8, which JNI's strings are not.
  jsize size = static_cast<jsize>(failure.message.size());
  jbyteArray bytes = env->NewByteArray(size);
  if (bytes == nullptr) {
    return;
  }
  env->SetByteArrayRegion(bytes, 0, size, reinterpret_cast<const jbyte*>(failure.message.data()));
  jobject exception = env->NewObject(type, make, static_cast<jint>(failure.code), bytes);
  if (exception != nullptr) {
    env->Throw(static_cast<jthrowable>(exception));
  }
}

// Runs `body`, whose errors become Java's.
template <typename Result, typename Body>
Result guarded(JNIEnv* env, Result otherwise, Body body) {
  try {
    return body();
  } catch (const Failure& failure) {
    raise(env, failure);
  } catch (const std::exception& error) {
    raise(env, Failure{13, error.what()});
  }
  return otherwise;
}

const Plugin& plugin(jlong handle) { return *reinterpret_cast<const Plugin*>(handle); }

template <typename T>
T* as(jlong handle) {
  return reinterpret_cast<T*>(handle);
}

jlong handle(const void* pointer) { return reinterpret_cast<jlong>(pointer); }

std::string bytesOf(JNIEnv* env, jbyteArray array) {
  jsize size = env->GetArrayLength(array);
  std::string out(static_cast<size_t>(size), '\0');
  env->GetByteArrayRegion(array, 0, size, reinterpret_cast<jbyte*>(out.data()));
  return out;
}

std::vector<int64_t> longsOf(JNIEnv* env, jlongArray array) {
  jsize size = env->GetArrayLength(array);
  std::vector<jlong> raw(static_cast<size_t>(size));
  env->GetLongArrayRegion(array, 0, size, raw.data());
  return std::vector<int64_t>(raw.begin(), raw.end());
}

jbyteArray bytes(JNIEnv* env, const char* text, size_t size) {
  jbyteArray out = env->NewByteArray(static_cast<jsize>(size));
  if (out != nullptr && size > 0) {
    env->SetByteArrayRegion(out, 0, static_cast<jsize>(size),
                            reinterpret_cast<const jbyte*>(text));
  }
  return out;
}

jlongArray longs(JNIEnv* env, const std::vector<jlong>& values) {
  jlongArray out = env->NewLongArray(static_cast<jsize>(values.size()));
  if (out != nullptr) {
    env->SetLongArrayRegion(out, 0, static_cast<jsize>(values.size()), values.data());
  }
  return out;
}

// Named values as text lines: name, type and value with tabs between them.
std::string lines(const pjrt::NamedValue* values, size_t count) {
  std::string out;
  const char* next = reinterpret_cast<const char*>(values);
  for (size_t i = 0; i < count; i++) {
    const auto* value = reinterpret_cast<const pjrt::NamedValue*>(next);
    out.append(value->name, value->name_size).append("\t");
    switch (value->type) {
      case pjrt::kString:
        out.append("string\t").append(value->string_value, value->value_size);
        break;
      case pjrt::kInt64:
        out.append("int\t").append(std::to_string(value->int64_value));
        break;
      case pjrt::kInt64List:
        out.append("ints\t");
        for (size_t k = 0; k < value->value_size; k++) {
          out.append(k == 0 ? "" : ",").append(std::to_string(value->int64_array_value[k]));
        }
        break;
      case pjrt::kFloat:
        out.append("float\t").append(std::to_string(value->float_value));
        break;
      case pjrt::kBool:
        out.append("bool\t").append(value->bool_value ? "true" : "false");
        break;
      default:
        out.append("unknown\t");
    }
    out.append("\n");
    // An array of a newer plugin has larger elements.
    next += value->head.struct_size >= sizeof(pjrt::NamedValue) ? (value->head.struct_size + 7) / 8 * 8
                                                           : sizeof(pjrt::NamedValue);
  }
  return out;
}

// Options that point into what they were made of.
struct Options {
  std::vector<std::string> names;
  std::vector<std::string> strings;
  std::vector<pjrt::NamedValue> values;

  Options(JNIEnv* env, jobjectArray encoded) {
    jsize count = env->GetArrayLength(encoded);
    names.reserve(static_cast<size_t>(count));
    strings.reserve(static_cast<size_t>(count));
    for (jsize i = 0; i < count; i++) {
      auto item = static_cast<jbyteArray>(env->GetObjectArrayElement(encoded, i));
      std::string line = bytesOf(env, item);
      env->DeleteLocalRef(item);
      size_t first = line.find('\t');
      size_t second = line.find('\t', first + 1);
      std::string type = line.substr(first + 1, second - first - 1);
      names.push_back(line.substr(0, first));
      strings.push_back(line.substr(second + 1));
      const std::string& text = strings.back();
      pjrt::NamedValue value = {};
      value.head.struct_size = sizeof(value);
      value.name = names.back().data();
      value.name_size = names.back().size();
      value.value_size = 1;
      if (type == "int") {
        value.type = pjrt::kInt64;
        value.int64_value = std::stoll(text);
      } else if (type == "bool") {
        value.type = pjrt::kBool;
        value.bool_value = text == "true";
      } else if (type == "float") {
        value.type = pjrt::kFloat;
        value.float_value = std::stof(text);
      } else {
        value.type = pjrt::kString;
        value.string_value = text.data();
        value.value_size = text.size();
      }
      values.push_back(value);
    }
  }
};

}  // namespace

#define LOCKSTEP_JNI(type, name) \
  extern "C" JNIEXPORT type JNICALL Java_dev_lockstep_runtime_pjrt_PjrtNative_##name

LOCKSTEP_JNI(void, environment)(JNIEnv* env, jclass, jbyteArray name, jbyteArray value) {
  guarded<int>(env, 0, [&] {
    return setenv(bytesOf(env, name).c_str(), bytesOf(env, value).c_str(), 0);
  });
}

LOCKSTEP_JNI(jlong, open)(JNIEnv* env, jclass, jbyteArray path) {
  return guarded<jlong>(env, 0, [&] { return handle(Plugin::open(bytesOf(env, path))); });
}

LOCKSTEP_JNI(jlongArray, facts)(JNIEnv* env, jclass, jlong of) {
  return guarded<jlongArray>(env, nullptr, [&] {
    const pjrt::Api& api = plugin(of).api();
    std::vector<jlong> out = {api.major, api.minor, static_cast<jlong>(api.struct_size)};
    for (const pjrt::Extension* e = api.extension_start; e != nullptr; e = e->next) {
      out.push_back(e->type);
    }
    return longs(env, out);
  });
}

LOCKSTEP_JNI(jbyteArray, attributes)(JNIEnv* env, jclass, jlong of) {
  return guarded<jbyteArray>(env, nullptr, [&] {
    pjrt::PluginAttributes args = {};
    plugin(of).call(pjrt::kPluginAttributes, args);
    std::string text = lines(args.attributes, args.count);
    return bytes(env, text.data(), text.size());
  });
}

LOCKSTEP_JNI(jlong, createClient)
(JNIEnv* env, jclass, jlong of, jobjectArray encoded, jlong store) {
  return guarded<jlong>(env, 0, [&] {
    Options options(env, encoded);
    pjrt::ClientCreate args = {};
    args.options = options.values.data();
    args.option_count = options.values.size();
    if (store != 0) {
      as<KeyValues>(store)->serve(args);
    }
    plugin(of).call(pjrt::kClientCreate, args);
    return handle(args.client);
  });
}

LOCKSTEP_JNI(jlong, openKeyValues)(JNIEnv* env, jclass) {
  return guarded<jlong>(env, 0, [&] { return handle(new KeyValues()); });
}

LOCKSTEP_JNI(jboolean, fillKeyValues)
(JNIEnv* env, jclass, jlong store, jbyteArray key, jbyteArray value) {
  return guarded<jboolean>(env, JNI_FALSE, [&] {
    bool isNew = as<KeyValues>(store)->fill(bytesOf(env, key), bytesOf(env, value));
    return static_cast<jboolean>(isNew ? JNI_TRUE : JNI_FALSE);
  });
}

LOCKSTEP_JNI(jobjectArray, takeKeyValue)(JNIEnv* env, jclass, jlong store, jlong timeout) {
  return guarded<jobjectArray>(env, nullptr, [&]() -> jobjectArray {
    std::pair<std::string, std::string> entry;
    if (!as<KeyValues>(store)->take(timeout, entry)) {
      return nullptr;
    }
    jobjectArray out = env->NewObjectArray(2, env->FindClass("[B"), nullptr);
    if (out != nullptr) {
      env->SetObjectArrayElement(out, 0, bytes(env, entry.first.data(), entry.first.size()));
      env->SetObjectArrayElement(out, 1, bytes(env, entry.second.data(), entry.second.size()));
    }
    return out;
  });
}

LOCKSTEP_JNI(void, closeKeyValues)(JNIEnv* env, jclass, jlong store) {
  guarded<int>(env, 0, [&] {
    as<KeyValues>(store)->close();
    return 0;
  });
}

LOCKSTEP_JNI(void, destroy)(JNIEnv* env, jclass, jlong of, jint slot, jlong object) {
  guarded<int>(env, 0, [&] {
    plugin(of).destroy(static_cast<pjrt::Slot>(slot), as<void>(object));
    return 0;
  });
}

LOCKSTEP_JNI(jbyteArray, text)(JNIEnv* env, jclass, jlong of, jint slot, jlong object) {
  return guarded<jbyteArray>(env, nullptr, [&] {
    pjrt::Text args = {};
    args.object = as<void>(object);
    plugin(of).call(static_cast<pjrt::Slot>(slot), args);
    return bytes(env, args.text, args.size);
  });
}

LOCKSTEP_JNI(jint, number)(JNIEnv* env, jclass, jlong of, jint slot, jlong object) {
  return guarded<jint>(env, 0, [&] {
    pjrt::Number args = {};
    args.object = as<void>(object);
    plugin(of).call(static_cast<pjrt::Slot>(slot), args);
    return args.value;
  });
}

LOCKSTEP_JNI(jlong, size)(JNIEnv* env, jclass, jlong of, jint slot, jlong object) {
  return guarded<jlong>(env, 0, [&] {
    pjrt::Size args = {};
    args.object = as<void>(object);
    plugin(of).call(static_cast<pjrt::Slot>(slot), args);
    return static_cast<jlong>(args.value);
  });
}

LOCKSTEP_JNI(jboolean, flag)(JNIEnv* env, jclass, jlong of, jint slot, jlong object) {
  return guarded<jboolean>(env, JNI_FALSE, [&] {
    pjrt::Flag args = {};
    args.object = as<void>(object);
    plugin(of).call(static_cast<pjrt::Slot>(slot), args);
    return static_cast<jboolean>(args.value ? JNI_TRUE : JNI_FALSE);
  });
}

LOCKSTEP_JNI(jlong, related)(JNIEnv* env, jclass, jlong of, jint slot, jlong object) {
  return guarded<jlong>(env, 0, [&] {
    pjrt::Related args = {};
    args.object = as<void>(object);
    plugin(of).call(static_cast<pjrt::Slot>(slot), args);
    return handle(args.related);
  });
}

LOCKSTEP_JNI(jlongArray, pointers)(JNIEnv* env, jclass, jlong of, jint slot, jlong object) {
  return guarded<jlongArray>(env, nullptr, [&] {
    pjrt::PointerList args = {};
    args.object = as<void>(object);
    plugin(of).call(static_cast<pjrt::Slot>(slot), args);
    std::vector<jlong> out;
    for (size_t i = 0; i < args.count; i++) {
      out.push_back(handle(args.items[i]));
    }
    return longs(env, out);
  });
}

LOCKSTEP_JNI(jlong, compile)(JNIEnv* env, jclass, jlong of, jlong client, jbyteArray program,
                             jbyteArray format, jbyteArray options) {
  return guarded<jlong>(env, 0, [&] {
    return handle(shim::compile(plugin(of), as<pjrt::Client>(client), bytesOf(env, program),
                                bytesOf(env, format), bytesOf(env, options)));
  });
}

LOCKSTEP_JNI(jlong, createTopology)(JNIEnv* env, jclass, jlong of, jbyteArray name,
                                    jobjectArray encoded) {
  return guarded<jlong>(env, 0, [&] {
    std::string text = bytesOf(env, name);
    Options options(env, encoded);
    pjrt::TopologyCreate args = {};
    args.name = text.data();
    args.name_size = text.size();
    args.options = options.values.data();
    args.option_count = options.values.size();
    plugin(of).call(pjrt::kTopologyCreate, args);
    return handle(args.topology);
  });
}

LOCKSTEP_JNI(jlong, compileAhead)(JNIEnv* env, jclass, jlong of, jlong topology,
                                  jbyteArray program, jbyteArray format, jbyteArray options) {
  return guarded<jlong>(env, 0, [&] {
    std::string code = bytesOf(env, program);
    std::string kind = bytesOf(env, format);
    std::string settings = bytesOf(env, options);
    pjrt::Program wrapped = {};
    wrapped.head.struct_size = sizeof(wrapped);
    wrapped.code = code.data();
    wrapped.code_size = code.size();
    wrapped.format = kind.data();
    wrapped.format_size = kind.size();
    pjrt::TopologyCompile args = {};
    args.topology = as<pjrt::Topology>(topology);
    args.program = &wrapped;
    args.options = settings.data();
    args.options_size = settings.size();
    plugin(of).call(pjrt::kCompile, args);
    return handle(args.executable);
  });
}

LOCKSTEP_JNI(jlongArray, outputs)(JNIEnv* env, jclass, jlong of, jlong executable) {
  return guarded<jlongArray>(env, nullptr, [&] {
    pjrt::IntList types = {};
    types.object = as<void>(executable);
    plugin(of).call(pjrt::kExecutableOutputElementTypes, types);
    pjrt::OutputDimensions dims = {};
    dims.executable = as<pjrt::Executable>(executable);
    plugin(of).call(pjrt::kExecutableOutputDimensions, dims);
    std::vector<jlong> out;
    size_t at = 0;
    for (size_t i = 0; i < types.count && i < dims.count; i++) {
      out.push_back(types.items[i]);
      out.push_back(static_cast<jlong>(dims.dim_sizes[i]));
      for (size_t k = 0; k < dims.dim_sizes[i]; k++) {
        out.push_back(dims.dims[at++]);
      }
    }
    return longs(env, out);
  });
}

LOCKSTEP_JNI(jobjectArray, optimized)(JNIEnv* env, jclass, jlong of, jlong executable) {
  return guarded<jobjectArray>(env, nullptr, [&]() -> jobjectArray {
    pjrt::Program program = {};
    program.head.struct_size = sizeof(program);
    pjrt::OptimizedProgram args = {};
    args.executable = as<pjrt::Executable>(executable);
    args.program = &program;
    plugin(of).call(pjrt::kExecutableOptimizedProgram, args);
    std::string code(program.code_size, '\0');
    program.code = code.data();
    plugin(of).call(pjrt::kExecutableOptimizedProgram, args);
    jclass type = env->FindClass("[B");
    jobjectArray out = type == nullptr ? nullptr : env->NewObjectArray(2, type, nullptr);
    if (out != nullptr) {
      env->SetObjectArrayElement(out, 0, bytes(env, program.format, program.format_size));
      env->SetObjectArrayElement(out, 1, bytes(env, code.data(), code.size()));
    }
    return out;
  });
}

LOCKSTEP_JNI(jlongArray, memory)(JNIEnv* env, jclass, jlong of, jlong executable) {
  return guarded<jlongArray>(env, nullptr, [&] {
    pjrt::MemoryStats args = {};
    args.executable = as<pjrt::Executable>(executable);
    plugin(of).call(pjrt::kExecutableGetCompiledMemoryStats, args);
    return longs(env, std::vector<jlong>(args.values, args.values + 15));
  });
}

LOCKSTEP_JNI(jbyteArray, costs)(JNIEnv* env, jclass, jlong of, jlong executable) {
  return guarded<jbyteArray>(env, nullptr, [&] {
    pjrt::CostAnalysis args = {};
    args.executable = as<pjrt::Executable>(executable);
    plugin(of).call(pjrt::kExecutableGetCostAnalysis, args);
    std::string text = lines(args.properties, args.count);
    return bytes(env, text.data(), text.size());
  });
}

LOCKSTEP_JNI(jlong, toDevice)(JNIEnv* env, jclass, jlong of, jlong client, jlong device, jint type,
                              jlongArray dims, jobject data) {
  return guarded<jlong>(env, 0, [&] {
    return handle(shim::toDevice(plugin(of), as<pjrt::Client>(client), as<pjrt::Device>(device),
                                 type, longsOf(env, dims),
                                 env->GetDirectBufferAddress(data)));
  });
}

LOCKSTEP_JNI(jlong, hostSize)(JNIEnv* env, jclass, jlong of, jlong buffer, jint rank) {
  return guarded<jlong>(env, 0, [&] {
    return static_cast<jlong>(
        shim::hostSize(plugin(of), as<pjrt::Buffer>(buffer), static_cast<size_t>(rank)));
  });
}

LOCKSTEP_JNI(void, toHost)(JNIEnv* env, jclass, jlong of, jlong buffer, jint rank, jobject data,
                           jlong size) {
  guarded<int>(env, 0, [&] {
    shim::toHost(plugin(of), as<pjrt::Buffer>(buffer), static_cast<size_t>(rank),
                 env->GetDirectBufferAddress(data), static_cast<size_t>(size));
    return 0;
  });
}

LOCKSTEP_JNI(jlongArray, shape)(JNIEnv* env, jclass, jlong of, jlong buffer) {
  return guarded<jlongArray>(env, nullptr, [&] {
    pjrt::Number type = {};
    type.object = as<void>(buffer);
    plugin(of).call(pjrt::kBufferElementType, type);
    pjrt::LongList dims = {};
    dims.object = as<void>(buffer);
    plugin(of).call(pjrt::kBufferDimensions, dims);
    std::vector<jlong> out = {type.value};
    out.insert(out.end(), dims.items, dims.items + dims.count);
    return longs(env, out);
  });
}

static_assert(sizeof(jlong) == sizeof(void*), "handles are passed as longs");

LOCKSTEP_JNI(void, launch)(JNIEnv* env, jclass, jlong of, jlong executable, jlongArray arguments,
                           jint devices, jint outputs, jlongArray keep, jint launch, jlong device,
                           jboolean wait, jlongArray out) {
  guarded<int>(env, 0, [&] {
    // Kept between launches of a thread, as the lists of the shim are.
    thread_local std::vector<jlong> given;
    thread_local std::vector<jlong> kept;
    thread_local std::vector<jlong> made;
    given.resize(static_cast<size_t>(env->GetArrayLength(arguments)));
    kept.resize(static_cast<size_t>(env->GetArrayLength(keep)));
    env->GetLongArrayRegion(arguments, 0, static_cast<jsize>(given.size()), given.data());
    env->GetLongArrayRegion(keep, 0, static_cast<jsize>(kept.size()), kept.data());
    size_t results = static_cast<size_t>(devices) * static_cast<size_t>(outputs);
    made.assign(results + static_cast<size_t>(devices), 0);
    shim::Launch what = {};
    what.executable = as<pjrt::LoadedExecutable>(executable);
    what.arguments = reinterpret_cast<pjrt::Buffer* const*>(given.data());
    what.argument_count = given.size();
    what.devices = static_cast<size_t>(devices);
    what.outputs = static_cast<size_t>(outputs);
    what.keep = reinterpret_cast<const int64_t*>(kept.data());
    what.keep_count = kept.size();
    what.launch_id = launch;
    what.device = as<pjrt::Device>(device);
    auto* buffers = reinterpret_cast<pjrt::Buffer**>(made.data());
    if (wait) {
      shim::execute(plugin(of), what, buffers);
      env->SetLongArrayRegion(out, 0, static_cast<jsize>(results), made.data());
    } else {
      shim::launch(plugin(of), what, buffers,
                   reinterpret_cast<pjrt::Event**>(made.data() + results));
      env->SetLongArrayRegion(out, 0, static_cast<jsize>(made.size()), made.data());
    }
    return 0;
  });
}

LOCKSTEP_JNI(void, await)(JNIEnv* env, jclass, jlong of, jlongArray events, jint count) {
  guarded<int>(env, 0, [&] {
    std::vector<jlong> all(static_cast<size_t>(count));
    env->GetLongArrayRegion(events, 0, count, all.data());
    shim::awaitAll(plugin(of), reinterpret_cast<pjrt::Event* const*>(all.data()), all.size());
    return 0;
  });
}

LOCKSTEP_JNI(void, destroyAll)(JNIEnv* env, jclass, jlong of, jint slot, jlongArray objects,
                               jint count) {
  guarded<int>(env, 0, [&] {
    std::vector<jlong> all(static_cast<size_t>(count));
    env->GetLongArrayRegion(objects, 0, count, all.data());
    for (jlong object : all) {
      plugin(of).destroy(static_cast<pjrt::Slot>(slot), as<void>(object));
    }
    return 0;
  });
}
