import type { HexAddress } from "./address.ts";

/** The chain's parameters as on the main network (2026), in the order of `getchainparameters`. Amounts in sun. */
const mainNetwork = {
  getMaintenanceTimeInterval: 21_600_000n,
  getAccountUpgradeCost: 9_999_000_000n,
  getCreateAccountFee: 100_000n,
  getTransactionFee: 1000n,
  getAssetIssueFee: 1_024_000_000n,
  getWitnessPayPerBlock: 8_000_000n,
  getWitnessStandbyAllowance: 115_200_000_000n,
  getCreateNewAccountFeeInSystemContract: 1_000_000n,
  getCreateNewAccountBandwidthRate: 1n,
  getAllowCreationOfContracts: 1n,
  getRemoveThePowerOfTheGr: -1n,
  getEnergyFee: 100n,
  getExchangeCreateFee: 1_024_000_000n,
  getMaxCpuTimeOfOneTx: 80n,
  getAllowUpdateAccountName: 0n,
  getAllowSameTokenName: 1n,
  getAllowDelegateResource: 1n,
  getTotalEnergyLimit: 180_000_000_000n,
  getAllowTvmTransferTrc10: 1n,
  getTotalEnergyCurrentLimit: 180_000_000_000n,
  getAllowMultiSign: 1n,
  getAllowAdaptiveEnergy: 0n,
  getTotalEnergyTargetLimit: 6_250_000n,
  getTotalEnergyAverageUsage: 0n,
  getUpdateAccountPermissionFee: 100_000_000n,
  getMultiSignFee: 1_000_000n,
  getAllowAccountStateRoot: 0n,
  getAllowProtoFilterNum: 0n,
  getAllowTvmConstantinople: 1n,
  getAllowTvmSolidity059: 1n,
  getAllowTvmIstanbul: 1n,
  getAllowShieldedTRC20Transaction: 1n,
  getForbidTransferToContract: 1n,
  getAdaptiveResourceLimitTargetRatio: 10n,
  getAdaptiveResourceLimitMultiplier: 1000n,
  getChangeDelegation: 1n,
  getWitness127PayPerBlock: 128_000_000n,
  getAllowMarketTransaction: 0n,
  getMarketSellFee: 0n,
  getMarketCancelFee: 0n,
  getAllowPBFT: 0n,
  getAllowTransactionFeePool: 0n,
  getMaxFeeLimit: 15_000_000_000n,
  getAllowOptimizeBlackHole: 1n,
  getAllowNewResourceModel: 0n,
  getAllowTvmFreeze: 0n,
  getAllowTvmVote: 1n,
  getAllowTvmLondon: 1n,
  getAllowTvmCompatibleEvm: 0n,
  getAllowAccountAssetOptimization: 0n,
  getFreeNetLimit: 600n,
  getTotalNetLimit: 43_200_000_000n,
  getAllowHigherLimitForMaxCpuTimeOfOneTx: 1n,
  getAllowAssetOptimization: 1n,
  getAllowNewReward: 1n,
  getMemoFee: 1_000_000n,
  getAllowDelegateOptimization: 1n,
  getUnfreezeDelayDays: 14n,
  getAllowOptimizedReturnValueOfChainId: 1n,
  getAllowDynamicEnergy: 1n,
  getDynamicEnergyThreshold: 5_000_000_000n,
  getDynamicEnergyIncreaseFactor: 2000n,
  getDynamicEnergyMaxFactor: 34_000n,
  getAllowTvmShangHai: 1n,
  getAllowCancelAllUnfreezeV2: 1n,
  getMaxDelegateLockPeriod: 864_000n,
  getAllowOldRewardOpt: 1n,
  getAllowEnergyAdjustment: 1n,
  getMaxCreateAccountTxSize: 1000n,
  getAllowStrictMath: 1n,
  getConsensusLogicOptimization: 1n,
  getAllowTvmCancun: 1n,
  getAllowTvmBlob: 1n,
} as const;

export type ParameterName = keyof typeof mainNetwork;

/** What a control call can set. It is not part of the chain's state: no fork undoes it. */
export type Settings = {
  readonly parameters: Readonly<Record<ParameterName, bigint>>;
  /** Energy prices with the time from which they count: `0:100,1542607200000:20`. */
  readonly energyPrices: string;
  readonly bandwidthPrices: string;
  /** Penalty factors of the dynamic energy model, in ten-thousandths, by contract. */
  readonly energyFactors: Readonly<Record<HexAddress, bigint>>;
};

export const initialSettings: Settings = {
  parameters: mainNetwork,
  energyPrices: `0:${mainNetwork.getEnergyFee}`,
  bandwidthPrices: `0:${mainNetwork.getTransactionFee}`,
  energyFactors: {},
};

export function isParameter(name: string): name is ParameterName {
  return Object.hasOwn(mainNetwork, name);
}

/** Sets a parameter from `now` (milliseconds) on. */
export function withParameter(
  settings: Settings,
  name: ParameterName,
  value: bigint,
  now: number,
): Settings {
  const parameters = { ...settings.parameters, [name]: value };
  const price = `,${now}:${value}`;
  return {
    ...settings,
    parameters,
    energyPrices: settings.energyPrices + (name === "getEnergyFee" ? price : ""),
    bandwidthPrices: settings.bandwidthPrices + (name === "getTransactionFee" ? price : ""),
  };
}
