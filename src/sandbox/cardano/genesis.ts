import { keyAddress, scriptAddress } from "./address.ts";
import { buildTransaction } from "./build-transaction.ts";
import { hash256, hex, unhex } from "./hash.ts";
import { keyNamed, keyText } from "./keys.ts";
import { type Script, scriptHash, signatureScript } from "./script.ts";
import {
  createOutput,
  type Output,
  type OutputReference,
  readTransaction,
  type Transaction,
} from "./transaction.ts";
import { type Assets, nothing } from "./value.ts";

/** Of private networks; 1 and 2 are the public test networks. */
export const networkMagic = 42;
/** How many blocks a node goes back at most, as on the main network. */
export const securityParameter = 2_160;
export const epochLength = 432_000;
export const activeSlotsCoefficient = { numerator: 1, denominator: 20 } as const;
export const maxLovelaceSupply = 45_000_000_000_000_000n;

const faucet = keyNamed("faucet");
export const faucetPrivateKey = keyText(faucet);
const faucetAddress = keyAddress(faucet.hash);

/** Programs of Plutus version 3 (`lam x. unit` and `lam x. error`). */
const alwaysSucceeds: Script = { language: "plutus:v3", bytes: unhex("450101002499") };
const alwaysFails: Script = { language: "plutus:v3", bytes: unhex("450101002601") };

const policy = signatureScript(faucet.hash);
const tokenName = "TOKEN";
/** A test token that nothing lists, as `policy.name` in hex. */
const token = {
  policy: hex(scriptHash(policy)),
  name: hex(new TextEncoder().encode(tokenName)),
} as const;

const ada = 1_000_000n;
/** Many, so that payments at the same time find other outputs. */
const faucetOutputs = 50;
const faucetLovelace = 100_000_000n * ada;
const tokenOutputs = 5;
const tokenQuantity = 1_000_000_000_000n;
const tokenLovelace = 1_000n * ada;
const scriptLovelace = 100n * ada;
const genesisLovelace = 5_001_000_000n * ada;

/** What there is before the first block. A genesis output's id is the hash of its address. */
const genesisReference: OutputReference = { txid: hex(hash256(faucetAddress)), index: 0 };
export const genesisOutputs: readonly (readonly [OutputReference, Output])[] = [
  [genesisReference, createOutput(faucetAddress, { ...nothing, lovelace: genesisLovelace })],
];

/** The first block's transaction: it spreads the faucet's money, mints the token, and funds the scripts. */
export function firstTransaction(): Transaction {
  const assets = (quantity: bigint): Assets =>
    new Map([[token.policy, new Map([[token.name, quantity]])]]);
  const outputs: readonly Output[] = [
    ...Array.from({ length: faucetOutputs }, () =>
      createOutput(faucetAddress, { ...nothing, lovelace: faucetLovelace }),
    ),
    ...Array.from({ length: tokenOutputs }, () =>
      createOutput(faucetAddress, { lovelace: tokenLovelace, assets: assets(tokenQuantity) }),
    ),
    ...[alwaysSucceeds, alwaysFails].map((script) =>
      createOutput(
        scriptAddress(scriptHash(script)),
        { ...nothing, lovelace: scriptLovelace },
        { datum: 0 },
      ),
    ),
  ];
  const spent = outputs.reduce((sum, { value }) => sum + value.lovelace, 0n);
  const raw = buildTransaction(
    {
      inputs: [genesisReference],
      outputs: (fee) => [
        ...outputs,
        createOutput(faucetAddress, { ...nothing, lovelace: genesisLovelace - spent - fee }),
      ],
      mint: { assets: assets(BigInt(tokenOutputs) * tokenQuantity), policy },
    },
    faucet,
  );
  return readTransaction(raw);
}
