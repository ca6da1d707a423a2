import type { Printable } from "./print-json.ts";

/** A request that Ogmios answers with an error: the code and data are its own, the text is in our words. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: number;
  readonly data: Printable | undefined;

  constructor(code: number, message: string, data?: Printable) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Codes of Ogmios 6.14. */
export const code = {
  invalidRequest: -32_600,
  invalidParams: -32_602,
  internalError: -32_603,
  intersectionNotFound: 1000,
  acquireFailed: 2000,
  queryUnavailable: 2002,
  acquiredExpired: 2003,
  genesisUnavailable: 2004,
  overlappingUtxo: 3002,
  cannotCreateContext: 3004,
  scriptExecutionFailure: 3010,
  invalidSignatories: 3100,
  missingSignatories: 3101,
  missingScripts: 3102,
  failingNativeScripts: 3103,
  extraneousScripts: 3104,
  missingMetadataHash: 3105,
  missingMetadata: 3106,
  metadataHashMismatch: 3107,
  invalidMetadata: 3108,
  missingRedeemers: 3109,
  extraneousRedeemers: 3110,
  missingDatums: 3111,
  extraneousDatums: 3112,
  scriptIntegrityHashMismatch: 3113,
  malformedScripts: 3116,
  unknownOutputReference: 3117,
  outsideOfValidityInterval: 3118,
  transactionTooLarge: 3119,
  valueTooLarge: 3120,
  emptyInputSet: 3121,
  feeTooSmall: 3122,
  valueNotConserved: 3123,
  networkMismatch: 3124,
  insufficientlyFundedOutputs: 3125,
  bootstrapAttributesTooLarge: 3126,
  insufficientCollateral: 3128,
  collateralLockedByScript: 3129,
  tooManyCollateralInputs: 3131,
  missingCollateralInputs: 3132,
  nonAdaCollateral: 3133,
  executionUnitsTooLarge: 3134,
  totalCollateralMismatch: 3135,
  spendsMismatch: 3136,
  unexpectedMempoolError: 3997,
  mustAcquireMempool: 4000,
} as const;
