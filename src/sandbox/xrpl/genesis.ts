import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { base58xrp } from "@scure/base";
import { type AccountRoot, accountKey } from "./objects.ts";
import { type Changes, createHistory, draftOn } from "./state.ts";
import { accountOfKey } from "./transaction.ts";

/** The account of the key that everyone knows (`masterpassphrase`): it holds all XRP of a new rippled network. */
const genesisAddress = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";

export const totalDrops = 100_000_000_000_000_000n;
const faucetDrops = 10_000_000_000_000_000n;

/** The 16 bytes of an Ed25519 seed, and the prefix that makes its text begin with sEd. */
const faucetEntropy = sha256(utf8ToBytes("faucet of a simulated XRP Ledger")).subarray(0, 16);
const seedPrefix = [0x01, 0xe1, 0x4b];

/** The seed of the account that holds the test money, in its family's text form (`sEd…`). */
export const faucetSeed = seedText();

const faucetAddress = addressOfSeed(faucetEntropy);

function seedText(): string {
  const payload = Uint8Array.from([...seedPrefix, ...faucetEntropy]);
  const checksum = sha256(sha256(payload)).subarray(0, 4);
  return base58xrp.encode(Uint8Array.from([...payload, ...checksum]));
}

/** The account of an Ed25519 seed: its public key in hexadecimal begins with ED. */
function addressOfSeed(entropy: Uint8Array): string {
  const point = ed25519.getPublicKey(sha512(entropy).subarray(0, 32));
  return accountOfKey(`ED${Buffer.from(point).toString("hex")}`);
}

/** What the first ledger contains. */
export function genesisChanges(): Changes {
  const draft = draftOn(createHistory().at(0));
  for (const [Account, units] of [
    [genesisAddress, totalDrops - faucetDrops],
    [faucetAddress, faucetDrops],
  ] as const)
    draft.put(accountKey(Account), firstAccount(Account, units));
  return draft.changes();
}

function firstAccount(Account: string, units: bigint): AccountRoot {
  return {
    LedgerEntryType: "AccountRoot",
    Account,
    Balance: String(units),
    Flags: 0,
    OwnerCount: 0,
    Sequence: 1,
    PreviousTxnID: "",
    PreviousTxnLgrSeq: 0,
  };
}
