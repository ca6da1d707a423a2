/** A transaction that the network refuses, in the words of go-algorand. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

/** Ends the work with a refusal. */
export function refuse(message: string): never {
  throw new Refusal(message);
}

/** An amount as go-algorand prints it in messages: `1mA`, `5.25A`. */
export function amountText(microAlgos: bigint): string {
  if (microAlgos === 0n) return "0.0A";
  if (microAlgos < 1_000n) return `${microAlgos}uA`;
  const [unit, suffix] = microAlgos < 1_000_000n ? [1_000n, "mA"] : [1_000_000n, "A"];
  const fraction = microAlgos % unit;
  const whole = microAlgos / unit;
  if (fraction === 0n) return `${whole}${suffix}`;
  return `${whole}.${String(fraction).padStart(String(unit).length - 1, "0")}${suffix}`;
}
