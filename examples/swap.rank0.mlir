// Two ranks swap a tensor. Each program names only its own peer; lowered together they become one
// text: ./lockstep opt --ranks 'examples/swap.rank*.mlir' --lower-c10d -o OUT
func.func @main(%x: tensor<2xf32>, %buffer: tensor<2xf32>) -> tensor<2xf32> {
  stablehlo.custom_call @c10d.send(%x) {api_version = 4 : i32, has_side_effect = true, backend_config = {peer = 1 : i64, tag = 0 : i64}} : (tensor<2xf32>) -> ()
  %got = stablehlo.custom_call @c10d.recv(%buffer) {api_version = 4 : i32, has_side_effect = true, backend_config = {peer = 1 : i64, tag = 0 : i64}} : (tensor<2xf32>) -> tensor<2xf32>
  return %got : tensor<2xf32>
}
