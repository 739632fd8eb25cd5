// Eight ranks in two groups of four. Rank 1 of each group hands its weights to the group; every
// rank scales its batch by them, and the products are averaged over all eight ranks.
module @shared_weights attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 8 : i32} {
  func.func @main(%weights: tensor<4xf32>, %batch: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %shared = stablehlo.custom_call @_c10d_functional.broadcast(%weights) {
      api_version = 4 : i32, has_side_effect = true,
      backend_config = {groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, src = 1 : i64}
    } : (tensor<4xf32>) -> tensor<4xf32>
    %product = stablehlo.multiply %shared, %batch : tensor<4xf32>
    %mean = stablehlo.custom_call @_c10d_functional.all_reduce(%product) {
      api_version = 4 : i32, has_side_effect = true,
      backend_config = {reduce_op = "avg"}
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %shared, %mean : tensor<4xf32>, tensor<4xf32>
  }
}
