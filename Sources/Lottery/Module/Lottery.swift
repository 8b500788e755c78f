// The layers of the lottery in one module: entities, repositories, use cases, and states of a view.
@_exported public import LotteryEntities
@_exported public import LotteryPresentation
@_exported public import LotteryRepository
@_exported public import LotteryUseCase
