/** What operators and validators of a network decide. Amounts in drops. */
export type Settings = {
  /** Above 1024, each transaction names it. */
  readonly networkId: number;
  /** The least fee of a transaction. */
  readonly baseFee: bigint;
  /** The fee for a place in the open ledger; cheaper transactions wait. */
  readonly openLedgerFee: bigint;
  /** What each account keeps, and what it keeps more for each object that it owns. */
  readonly reserveBase: bigint;
  readonly reserveIncrement: bigint;
};

/** Those of the main network since December 2024, on a network of its own. */
export const initialSettings: Settings = {
  networkId: 1000,
  baseFee: 10n,
  openLedgerFee: 10n,
  reserveBase: 1_000_000n,
  reserveIncrement: 200_000n,
};

/** What an account with so many objects cannot spend. */
export function reserveOf(settings: Settings, ownerCount: number): bigint {
  return settings.reserveBase + BigInt(ownerCount) * settings.reserveIncrement;
}
