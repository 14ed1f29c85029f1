// Wrappers. Each loads its number and continues in common, which calls enter, the function with the same arguments, and
// leave. The function sees the arguments where the C ABI of x86-64 wants them. Unwinding through the frame works.
#define FRAME 208

  .text
  .p2align 4
  .type common,@function
common:
  .cfi_startproc
  push %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  mov %rsp, %rbp
  .cfi_def_cfa_register %rbp
  sub $FRAME, %rsp
  mov %rdi, 0(%rsp)
  mov %rsi, 8(%rsp)
  mov %rdx, 16(%rsp)
  mov %rcx, 24(%rsp)
  mov %r8, 32(%rsp)
  mov %r9, 40(%rsp)
  movsd %xmm0, 48(%rsp)
  movsd %xmm1, 56(%rsp)
  movsd %xmm2, 64(%rsp)
  movsd %xmm3, 72(%rsp)
  movsd %xmm4, 80(%rsp)
  movsd %xmm5, 88(%rsp)
  movsd %xmm6, 96(%rsp)
  movsd %xmm7, 104(%rsp)
  mov %r11d, 112(%rsp)
  lea 16(%rbp), %rax
  mov %rax, 128(%rsp)
  mov %rsp, %rdi
  call roclua_enter
  mov %rax, %r11
  lea -FRAME(%rbp), %r10
  mov 116(%r10), %ecx
  test %ecx, %ecx
  jz 2f
  lea 1(%rcx), %edx // keep the stack aligned to 16 bytes
  and $-2, %edx
  shl $3, %rdx
  sub %rdx, %rsp
1:
  mov 8(%rbp,%rcx,8), %rax
  mov %rax, -8(%rsp,%rcx,8)
  dec %ecx
  jnz 1b
2:
  mov 0(%r10), %rdi
  mov 8(%r10), %rsi
  mov 16(%r10), %rdx
  mov 24(%r10), %rcx
  mov 32(%r10), %r8
  mov 40(%r10), %r9
  movsd 48(%r10), %xmm0
  movsd 56(%r10), %xmm1
  movsd 64(%r10), %xmm2
  movsd 72(%r10), %xmm3
  movsd 80(%r10), %xmm4
  movsd 88(%r10), %xmm5
  movsd 96(%r10), %xmm6
  movsd 104(%r10), %xmm7
  call *%r11
  lea -FRAME(%rbp), %rdi
  mov %rax, 120(%rdi)
  call roclua_leave
  mov -FRAME+120(%rbp), %rax
  leave
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size common, .-common

// dlsym and dlvsym continue in the next dlsym with the return address of the caller, by which it knows who asks.
  .macro lookup name, helper
  .globl \name
  .type \name,@function
\name:
  .cfi_startproc
  sub $40, %rsp
  .cfi_def_cfa_offset 48
  mov %rdi, 0(%rsp)
  mov %rsi, 8(%rsp)
  mov %rdx, 16(%rsp)
  mov 40(%rsp), %rcx
  lea 24(%rsp), %r8
  call \helper
  mov 0(%rsp), %rdi
  mov 8(%rsp), %rsi
  mov 16(%rsp), %rdx
  mov 24(%rsp), %r11
  add $40, %rsp
  .cfi_def_cfa_offset 8
  test %r11, %r11
  jz 1f
  jmp *%r11
1:
  ret
  .cfi_endproc
  .size \name, .-\name
  .endm
  lookup dlsym, roclua_dlsym
  lookup dlvsym, roclua_dlvsym

// The wrappers, 16 bytes each: those of the table, which the program makes, then those of the aliases.
  .macro wrapper name
  .globl \name
  .type \name,@function
  .p2align 4
\name:
  mov $number, %r11d
  jmp common
  .size \name, 11
  .set number, number + 1
  .endm

  .set number, 0
  .p2align 4
  .globl roclua_wrappers
  .hidden roclua_wrappers
roclua_wrappers:
#include "wrappers.h"
  .rept ALIASES
  .p2align 4
  mov $number, %r11d
  .byte 0xe9 // jmp with a displacement of 32 bits, so that all wrappers have one size
  .long common - . - 4
  .set number, number + 1
  .endr
  .section .note.GNU-stack,"",@progbits
