// The layers of the lottery as one module: what there is, where draws come from, the rules, and states of a view.
@_exported public import LotteryEntities
@_exported public import LotteryPresentation
@_exported public import LotteryRepository
@_exported public import LotteryUseCase
