// The functions of ROCm SMI that rocblas-bench calls, for one device at the place of the HIP runtime without a GPU.
#include <stdint.h>
#include <string.h>
int rsmi_init(uint64_t flags) { return 0; }
int rsmi_num_monitor_devices(uint32_t *count) { return *count = 1, 0; }
int rsmi_dev_pci_id_get(uint32_t device, uint64_t *id) { return *id = 1 << 8, 0; }
int rsmi_status_string(int status, const char **text) { return *text = "", 0; }
int rsmi_dev_gpu_clk_freq_get(uint32_t device, int type, void *frequencies) { return 2; }
int rsmi_dev_gpu_metrics_info_get(uint32_t device, void *metrics) { return 2; }
int rsmi_dev_metrics_xcd_counter_get(uint32_t device, uint16_t *count) { return 2; }
