// The dtypes of tensors whose values travel as bits. Host code says the name.
const dtype_float32 = 0u;
const dtype_int32 = 1u;
const dtype_bool = 2u;
