#include "pjrt_key_values.h"

#include <chrono>
#include <cstdlib>
#include <cstring>

namespace shim {

namespace {

constexpr int32_t kCancelled = 1;
constexpr int32_t kDeadlineExceeded = 4;
constexpr int32_t kNotFound = 5;
constexpr int32_t kAlreadyExists = 6;
constexpr int32_t kResourceExhausted = 8;

// The plugin makes its own errors; the address of the function that does is what it passes.
pjrt::Error* error(pjrt::ErrorMaker* make, int32_t code, const std::string& message) {
  return (*make)(code, message.data(), message.size());
}

void release(char* value) { std::free(value); }

// Longer times than this are as good as for ever, and clocks do not overflow.
constexpr int64_t kLongestWait = int64_t{1000} * 60 * 60 * 24 * 365;

std::chrono::milliseconds wait(int64_t milliseconds) {
  return std::chrono::milliseconds(milliseconds < kLongestWait ? milliseconds : kLongestWait);
}

}  // namespace

void KeyValues::serve(pjrt::ClientCreate& args) {
  args.get_callback = reinterpret_cast<void*>(&KeyValues::get);
  args.get_argument = this;
  args.put_callback = reinterpret_cast<void*>(&KeyValues::put);
  args.put_argument = this;
  args.try_get_callback = reinterpret_cast<void*>(&KeyValues::tryGet);
  args.try_get_argument = this;
}

bool KeyValues::fill(const std::string& key, const std::string& value) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (closed_ || !table_.emplace(key, value).second) {
    return false;
  }
  changed_.notify_all();
  return true;
}

bool KeyValues::take(int64_t timeout_ms, std::pair<std::string, std::string>& out) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait_for(lock, wait(timeout_ms), [&] { return closed_ || !put_.empty(); });
  if (put_.empty()) {
    return false;
  }
  out = std::move(put_.front());
  put_.pop_front();
  return true;
}

void KeyValues::close() {
  std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
  table_.clear();
  put_.clear();
  changed_.notify_all();
}

KeyValues::Found KeyValues::find(const std::string& key, int64_t timeout_ms, std::string& out) {
  std::unique_lock<std::mutex> lock(mutex_);
  auto there = [&] { return closed_ || table_.count(key) > 0; };
  if (timeout_ms > 0) {
    changed_.wait_for(lock, wait(timeout_ms), there);
  }
  if (closed_) {
    return Found::kClosed;
  }
  auto found = table_.find(key);
  if (found == table_.end()) {
    return Found::kNo;
  }
  out = found->second;
  return Found::kYes;
}

template <typename Args>
pjrt::Error* KeyValues::answer(Args* args, Found found, const std::string& value) {
  std::string key(args->key, args->key_size);
  if (found == Found::kClosed) {
    return error(args->make_error, kCancelled, "the key-value store is closed; asked for " + key);
  }
  auto* copy = static_cast<char*>(std::malloc(value.size() + 1));
  if (copy == nullptr) {
    return error(args->make_error, kResourceExhausted, "no memory for the value of " + key);
  }
  std::memcpy(copy, value.data(), value.size());
  args->value = copy;
  args->value_size = value.size();
  args->delete_value = release;
  return nullptr;
}

pjrt::Error* KeyValues::get(pjrt::KeyValueGet* args) {
  std::string key(args->key, args->key_size);
  std::string value;
  auto* store = static_cast<KeyValues*>(args->user_argument);
  Found found = store->find(key, args->timeout_ms, value);
  if (found == Found::kNo) {
    return error(args->make_error, kDeadlineExceeded,
                 "no process has put " + key + " for " + std::to_string(args->timeout_ms) + " ms");
  }
  return answer(args, found, value);
}

pjrt::Error* KeyValues::tryGet(pjrt::KeyValueTryGet* args) {
  std::string key(args->key, args->key_size);
  std::string value;
  Found found = static_cast<KeyValues*>(args->user_argument)->find(key, 0, value);
  if (found == Found::kNo) {
    return error(args->make_error, kNotFound, "no process has put " + key);
  }
  return answer(args, found, value);
}

pjrt::Error* KeyValues::put(pjrt::KeyValuePut* args) {
  std::string key(args->key, args->key_size);
  std::string value(args->value, args->value_size);
  auto* store = static_cast<KeyValues*>(args->user_argument);
  std::lock_guard<std::mutex> lock(store->mutex_);
  if (store->closed_) {
    return error(args->make_error, kCancelled, "the key-value store is closed; put " + key);
  }
  if (!store->table_.emplace(key, value).second) {
    return error(args->make_error, kAlreadyExists, "somebody has put " + key + " before");
  }
  store->put_.emplace_back(std::move(key), std::move(value));
  store->changed_.notify_all();
  return nullptr;
}

}  // namespace shim
