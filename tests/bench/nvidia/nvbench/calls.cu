// Times calls of cuBLAS and cuSOLVER with nvbench. The libraries are loaded
// from the folder named by CUDA_LIBRARIES, so that building needs neither.

#include <nvbench/nvbench.cuh>

#include <dlfcn.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace
{
void require(bool good, const std::string &what) { if (!good) throw std::runtime_error(what); }
void cuda(cudaError_t error) { require(!error, cudaGetErrorString(error)); }
void check(int code, const char *call) { require(!code, std::string(call) + " returned " + std::to_string(code)); }

bool load(const char *name)
{
  const char *folder = std::getenv("CUDA_LIBRARIES");
  if (dlopen((folder ? std::string(folder) + "/" + name : name).c_str(), RTLD_NOW | RTLD_GLOBAL)) return true;
  std::fprintf(stderr, "%s\n", dlerror());
  return false;
}
void load_all() // each library after those that it needs
{
  static bool loaded = false;
  if (loaded) return;
  load("libnvJitLink.so.13"), load("libcublasLt.so.13");
  const bool blas = load("libcublas.so.13");
  load("libcusparse.so.12");
  loaded = blas && (load("libcusolver.so.12") || load("libcusolver.so.11"));
  require(loaded, "cuBLAS or cuSOLVER could not be loaded");
}
// The function of that name, by its C type with int for enumerations and void * for handles.
template <class Function> Function *find(const char *name)
{
  load_all();
  void *function = dlsym(RTLD_DEFAULT, name);
  require(function, std::string("no function ") + name);
  return reinterpret_cast<Function *>(function);
}
using handle = std::unique_ptr<void, int (*)(void *)>;
handle make(const char *create, const char *destroy, const char *set_stream, cudaStream_t stream)
{
  void *value = nullptr;
  check(find<int(void **)>(create)(&value), create);
  handle result(value, find<int(void *)>(destroy));
  check(find<int(void *, cudaStream_t)>(set_stream)(value, stream), set_stream);
  return result;
}

template <class T> struct buffer // device memory
{
  T *data = nullptr;
  explicit buffer(std::size_t count) { cuda(cudaMalloc(&data, count * sizeof(T))); }
  explicit buffer(const std::vector<T> &host) : buffer(host.size())
  { cuda(cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice)); }
  buffer(const buffer &) = delete;
  ~buffer() { cudaFree(data); }
  T at(std::size_t i) const { T x; cuda(cudaMemcpy(&x, data + i, sizeof(T), cudaMemcpyDeviceToHost)); return x; }
};

template <class T> std::vector<T> numbers(std::size_t count, unsigned long long seed) // from -0.5 to 0.5
{
  std::vector<T> result(count);
  for (T &x : result)
    x = T(double((seed = seed * 6364136223846793005u + 1442695040888963407u) >> 40) / (1 << 24) - 0.5);
  return result;
}
// Measures a call that queues its work on the state's stream.
template <class Call> void measure(nvbench::state &state, Call call)
{
  const cudaStream_t stream = state.get_cuda_stream();
  for (int i = 0; i < 3; ++i) call(); // loads the kernels
  cuda(cudaStreamSynchronize(stream));
  // nvbench holds the stream up while it queues calls: see whether they return meanwhile.
  cuda(cudaLaunchHostFunc(stream, [](void *) { std::this_thread::sleep_for(std::chrono::seconds(1)); }, nullptr));
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 3; ++i) call();
  const bool early = std::chrono::steady_clock::now() - start < std::chrono::milliseconds(500);
  cuda(cudaStreamSynchronize(stream));
  const auto launcher = [&](nvbench::launch &launch) { require(launch.get_stream() == stream, "stream"), call(); };
  if (early) return state.exec(nvbench::exec_tag::gpu, launcher);
  // They do not: nvbench then measures isolated calls only, so time a batch here.
  state.exec(nvbench::exec_tag::gpu | nvbench::exec_tag::sync | nvbench::exec_tag::no_batch, launcher);
  nvbench::cuda_timer timer;
  timer.start(state.get_cuda_stream());
  for (int i = 0; i < 200; ++i) call();
  timer.stop(state.get_cuda_stream()), cuda(cudaStreamSynchronize(stream));
  state.add_summary("own/batch/time/gpu/mean").set_float64("value", timer.get_duration() / 200);
}

template <class T> void gemm(nvbench::state &state, const char *name)
{
  const auto call = find<int(void *, int, int, int, int, int, const T *, const T *, int, const T *, int,
                             const T *, T *, int)>(name);
  const int n = int(state.get_int64("n"));
  const auto left = numbers<T>(std::size_t(n) * n, 1), right = numbers<T>(std::size_t(n) * n, 2);
  const buffer<T> a(left), b(right), c(left.size());
  const std::size_t size = 32 << 20;
  const buffer<char> workspace(size);
  const handle blas = make("cublasCreate_v2", "cublasDestroy_v2", "cublasSetStream_v2", state.get_cuda_stream());
  check(find<int(void *, void *, std::size_t)>("cublasSetWorkspace_v2")(blas.get(), workspace.data, size), "workspace");
  const T one = 1, zero = 0;
  measure(state, [&] { check(call(blas.get(), 0, 0, n, n, n, &one, a.data, n, b.data, n, &zero, c.data, n), name); });
  double sum = 0; // of the product's first element
  for (int k = 0; k < n; ++k) sum += double(left[std::size_t(k) * n]) * right[k];
  require(std::abs(c.at(0) - sum) < 1e-3, "wrong product");
}
void dgemm(nvbench::state &state) { gemm<double>(state, "cublasDgemm_v2"); }
void sgemm(nvbench::state &state) { gemm<float>(state, "cublasSgemm_v2"); }

void dgetrs(nvbench::state &state)
{
  const int n = int(state.get_int64("n"));
  int size = 0; // of the work space
  // Nearly the identity: solving in place again and again keeps the numbers' size.
  auto matrix = numbers<double>(std::size_t(n) * n, 1);
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = 1e-7 * matrix[i] + (i % (n + 1) == 0);
  const auto right = numbers<double>(n, 2);
  const buffer<double> a(matrix), x(right);
  const buffer<int> pivots(n), info(1);
  const handle solver = make("cusolverDnCreate", "cusolverDnDestroy", "cusolverDnSetStream", state.get_cuda_stream());
  const auto query = find<int(void *, int, int, double *, int, int *)>("cusolverDnDgetrf_bufferSize");
  check(query(solver.get(), n, n, a.data, n, &size), "getrf_bufferSize");
  const buffer<double> work(size + 1);
  const auto factor = find<int(void *, int, int, double *, int, double *, int *, int *)>("cusolverDnDgetrf");
  check(factor(solver.get(), n, n, a.data, n, work.data, pivots.data, info.data), "getrf");
  cuda(cudaDeviceSynchronize()), require(info.at(0) == 0, "getrf failed");
  const auto solve =
    find<int(void *, int, int, int, const double *, int, const int *, double *, int, int *)>("cusolverDnDgetrs");
  const auto call = [&] { check(solve(solver.get(), 0, n, 1, a.data, n, pivots.data, x.data, n, info.data), "getrs"); };
  call(), cuda(cudaDeviceSynchronize());
  require(info.at(0) == 0 && std::abs(x.at(n - 1) - right[n - 1]) < 1e-3, "wrong solution");
  measure(state, call);
}
} // namespace

NVBENCH_BENCH(dgemm).add_int64_axis("n", {16, 1024, 4096});
NVBENCH_BENCH(sgemm).add_int64_axis("n", {16, 1024, 4096});
NVBENCH_BENCH(dgetrs).add_int64_axis("n", {16, 1024, 4096});
NVBENCH_MAIN
