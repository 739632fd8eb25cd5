// Four ranks. Rank 0 hands every rank its own row of a table, rank 3 hands all of them an offset,
// and each rank gives back its row moved by the offset.
module @scatter_broadcast {
  func.func @main(%row0: tensor<3xf32>, %row1: tensor<3xf32>, %row2: tensor<3xf32>, %row3: tensor<3xf32>, %offset: tensor<3xf32>) -> tensor<3xf32> {
    %mine = stablehlo.custom_call @c10d.scatter(%row0, %row1, %row2, %row3) {
      api_version = 4 : i32, has_side_effect = true,
      backend_config = {groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, src = 0 : i64}
    } : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %shared = stablehlo.custom_call @_c10d_functional.broadcast(%offset) {
      api_version = 4 : i32, has_side_effect = true,
      backend_config = {groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, src = 3 : i64}
    } : (tensor<3xf32>) -> tensor<3xf32>
    %moved = stablehlo.add %mine, %shared : tensor<3xf32>
    return %moved : tensor<3xf32>
  }
}
