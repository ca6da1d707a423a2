import { createHash } from "node:crypto";
import { Account, Asset, Keypair, Operation, TransactionBuilder } from "@stellar/stellar-sdk/base";
import { type LedgerEntry, PublicKey, TransactionEnvelope } from "@stellar/stellar-sdk/xdr";
import { stellar } from "../../currencies/coins/stellar.ts";
import { totalCoins } from "./close-meta.ts";
import { newAccount } from "./entries.ts";

/** The passphrase of this program's network. */
export const networkPassphrase = "Sluice Simulated Network ; November 2026";

export const networkId = createHash("sha256").update(networkPassphrase).digest();

/** As on every network, the key of the account that holds all coins at first follows from the passphrase. */
const root = Keypair.fromRawEd25519Seed(networkId);

/** Test keys that everyone knows. */
export const faucet = keyOf("faucet");
export const friendbot = keyOf("friendbot");
const issuer = keyOf("issuer");

const testDollar = new Asset("USDC", issuer.publicKey());

/** Tokens by alpha code, as `CODE:ISSUER`. */
export const tokens: Readonly<Record<string, string>> = Object.fromEntries(
  stellar.tokens.map(({ alpha }) => [alpha, `USDC:${issuer.publicKey()}`]),
);

function keyOf(name: string): Keypair {
  const seed = createHash("sha256").update(`${networkPassphrase} ${name}`).digest();
  return Keypair.fromRawEd25519Seed(seed);
}

/** What there is before the first ledger. */
export function rootEntry(): LedgerEntry {
  const accountId = PublicKey.publicKeyTypeEd25519(root.rawPublicKey());
  return newAccount(accountId, totalCoins, 0n, 0);
}

/** The first transaction: it creates faucet, friendbot and issuer, and gives the faucet test dollars. */
export function firstTransaction(): TransactionEnvelope {
  const transaction = new TransactionBuilder(new Account(root.publicKey(), "0"), {
    fee: "100",
    networkPassphrase,
  })
    .addOperation(create(faucet, "10000000000"))
    .addOperation(create(friendbot, "10000000000"))
    .addOperation(create(issuer, "500"))
    .addOperation(Operation.changeTrust({ asset: testDollar, source: faucet.publicKey() }))
    .addOperation(
      Operation.payment({
        source: issuer.publicKey(),
        destination: faucet.publicKey(),
        asset: testDollar,
        amount: "10000000000",
      }),
    )
    .setTimeout(0)
    .build();
  transaction.sign(root, faucet, issuer);
  return TransactionEnvelope.fromXdr(transaction.toEnvelope().toXdr());
}

function create(keys: Keypair, startingBalance: string) {
  return Operation.createAccount({ destination: keys.publicKey(), startingBalance });
}
