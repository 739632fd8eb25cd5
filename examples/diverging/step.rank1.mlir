module @step {
  func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
    %all = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
      : (tensor<2xf32>) -> tensor<4xf32>
    %sum = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    return %sum, %all : tensor<2xf32>, tensor<4xf32>
  }
}
