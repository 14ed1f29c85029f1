// Ends the process at the first system call for space, when its recording was created.
#include <signal.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

long syscall(long number, ...) {
  if (number == SYS_fallocate) kill(getpid(), SIGKILL);
  va_list list;
  va_start(list, number);
  long result, a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  register long d __asm__("r10") = va_arg(list, long);
  va_end(list);
  __asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c), "r"(d) : "rcx", "r11", "memory");
  return result;
}
