import costModels from "./cost-models.json" with { type: "json" };
import type { PrintableObject } from "./print-json.ts";
import { printLovelace } from "./print-values.ts";

/** Of the main network, which scalus checks by. */
export const parameters = {
  minFeeCoefficient: 44n,
  minFeeConstant: 155_381n,
  /** In lovelace. */
  coinsPerUtxoByte: 4_310n,
  maxBlockBodySize: 90_112,
  maxTransactionSize: 16_384,
  maxValueSize: 5_000,
  maxCollateralInputs: 3,
  maxMemory: 16_500_000,
  maxCpu: 10_000_000_000,
} as const;

/** Bytes that each unspent output occupies besides its own. */
const outputOverhead = 160n;

/** The least lovelace that an output has to have. */
export function minLovelace(outputBytes: number): bigint {
  return (outputOverhead + BigInt(outputBytes)) * parameters.coinsPerUtxoByte;
}

export function printParameters(version: PrintableObject): PrintableObject {
  return {
    minFeeCoefficient: parameters.minFeeCoefficient,
    minFeeConstant: printLovelace(parameters.minFeeConstant),
    minFeeReferenceScripts: { base: 15, range: 25_600, multiplier: 1.2 },
    maxBlockBodySize: { bytes: parameters.maxBlockBodySize },
    maxBlockHeaderSize: { bytes: 1_100 },
    maxTransactionSize: { bytes: parameters.maxTransactionSize },
    maxReferenceScriptsSize: { bytes: 204_800 },
    stakeCredentialDeposit: printLovelace(2_000_000n),
    stakePoolDeposit: printLovelace(500_000_000n),
    stakePoolRetirementEpochBound: 18,
    desiredNumberOfStakePools: 500,
    stakePoolPledgeInfluence: "3/10",
    monetaryExpansion: "3/1000",
    treasuryExpansion: "1/5",
    minStakePoolCost: printLovelace(170_000_000n),
    minUtxoDepositConstant: printLovelace(0n),
    minUtxoDepositCoefficient: parameters.coinsPerUtxoByte,
    plutusCostModels: costModels,
    scriptExecutionPrices: { memory: "577/10000", cpu: "721/10000000" },
    maxExecutionUnitsPerTransaction: { memory: parameters.maxMemory, cpu: parameters.maxCpu },
    maxExecutionUnitsPerBlock: { memory: 72_000_000, cpu: 20_000_000_000 },
    maxValueSize: { bytes: parameters.maxValueSize },
    collateralPercentage: 150,
    maxCollateralInputs: parameters.maxCollateralInputs,
    version,
    stakePoolVotingThresholds: {
      noConfidence: "51/100",
      constitutionalCommittee: { default: "51/100", stateOfNoConfidence: "51/100" },
      hardForkInitiation: "51/100",
      protocolParametersUpdate: { security: "51/100" },
    },
    delegateRepresentativeVotingThresholds: {
      noConfidence: "67/100",
      constitutionalCommittee: { default: "67/100", stateOfNoConfidence: "3/5" },
      constitution: "3/4",
      hardForkInitiation: "3/5",
      protocolParametersUpdate: {
        network: "67/100",
        economic: "67/100",
        technical: "67/100",
        governance: "3/4",
      },
      treasuryWithdrawals: "67/100",
    },
    constitutionalCommitteeMinSize: 7,
    constitutionalCommitteeMaxTermLength: 146,
    governanceActionLifetime: 6,
    governanceActionDeposit: printLovelace(100_000_000_000n),
    delegateRepresentativeDeposit: printLovelace(500_000_000n),
    delegateRepresentativeMaxIdleTime: 20,
  };
}
