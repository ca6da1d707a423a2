import { startLocalServer } from "./local-server.ts";

/**
 * Addresses that score red in the sandbox: Anvil's unlocked developer account 9, so that a red deposit is easy to send, and
 * addresses without a known key for payouts.
 */
export const redAddresses: readonly string[] = [
  "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720",
  "0x0badc0de0badc0de0badc0de0badc0de0badc0de",
  "bcrt1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqdku202",
  "rltc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnmxrc5",
  "rphk25rzEsPD2tMAEfxqFyFcxekbkKoeyx",
  "GAF23QG6BOW4BXQLVXAN4C5NYDPAXLOA3YF23QG6BOW4BXQLVXAN5HMU",
  "0QALrcDeC63A3gutwN4LrcDeC63A3gutwN4LrcDeC63A3ljW",
];

export type ScreeningServer = {
  /** Where screening requests are posted. */
  readonly url: string;
  /** Sets whether an address scores red. */
  readonly setRed: (address: string, isRed: boolean) => void;
  /** False: every request gets a 503, as from a service that is down. */
  readonly setAnswering: (isAnswering: boolean) => void;
  readonly close: () => Promise<void>;
};

/** A local screening service for the sandbox, called by the same code and over the same HTTP as a real one. */
export async function startScreeningServer(
  initial: readonly string[] = redAddresses,
): Promise<ScreeningServer> {
  const red = new Set(initial.map(spelling));
  let isAnswering = true;
  const server = await startLocalServer(({ method, path, body }) => {
    if (path !== "/screen") return { status: 404, body: "{}" };
    if (method !== "POST") return { status: 405, body: "{}" };
    if (!isAnswering) return { status: 503, body: "{}" };
    const addresses = addressesIn(body);
    if (addresses === null) return { status: 400, body: "{}" };
    const isRed = addresses.some((address) => red.has(spelling(address)));
    const result = isRed ? { risk: 95, verdict: "red" } : { risk: 5, verdict: "green" };
    return { status: 200, body: JSON.stringify(result) };
  });
  return {
    url: `${server.url}/screen`,
    setRed: (address, isRed) => {
      if (isRed) red.add(spelling(address));
      else red.delete(spelling(address));
    },
    setAnswering: (answering) => {
      isAnswering = answering;
    },
    close: server.close,
  };
}

/** Ignores case: EVM and bech32 addresses do not depend on it, and a sandbox has no base58 addresses that differ only by case. */
function spelling(address: string): string {
  return address.toLowerCase();
}

/** The counterparty's and our own addresses in a request; null if it is malformed. */
function addressesIn(body: string): readonly string[] | null {
  try {
    const question = JSON.parse(body) as { readonly address?: unknown; readonly from?: unknown };
    const from = Array.isArray(question.from) ? (question.from as readonly unknown[]) : [];
    return [question.address, ...from].filter((address) => typeof address === "string");
  } catch {
    return null;
  }
}
