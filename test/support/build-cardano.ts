import csl from "@emurgo/cardano-serialization-lib-nodejs";
import { addressOfKey, type PrivateCardano } from "./private-cardano.ts";

/** Lovelace, and quantities of tokens by policy and name in hex. */
export type Amount = {
  readonly lovelace: bigint;
  readonly tokens?: Readonly<Record<string, Readonly<Record<string, bigint>>>>;
};

export type Coin = { readonly txid: string; readonly index: number } & Amount & {
    readonly address: string;
  };

/** A transaction in detail, with the library that Cardano's wallets use. What is not given is right. */
export type Draft = {
  readonly inputs: readonly Coin[];
  readonly outputs: readonly (readonly [address: string, amount: Amount])[];
  readonly key: csl.PrivateKey;
  /** The rest after the fee goes to the key's address, unless it is "none". */
  readonly change?: "none";
  readonly fee?: bigint;
  readonly invalidAfter?: number;
  readonly networkId?: "mainnet" | "testnet";
  readonly edit?: (body: csl.TransactionBody) => void;
};

const parameters = { coefficient: "44", constant: "155381" } as const;

/** What an address has, as Ogmios lists it. */
export async function coinsOf(
  chain: Pick<PrivateCardano, "result">,
  address: string,
): Promise<readonly Coin[]> {
  const rows = (await chain.result("queryLedgerState/utxo", { addresses: [address] })) as readonly {
    readonly transaction: { readonly id: string };
    readonly index: number;
    readonly value: Readonly<Record<string, Readonly<Record<string, number>>>>;
  }[];
  return rows.map(({ index, transaction, value: { ada, ...tokens } }) => ({
    txid: transaction.id,
    index,
    address,
    lovelace: BigInt(ada?.["lovelace"] ?? 0),
    tokens: Object.fromEntries(
      Object.entries(tokens).map(([policy, names]) => [
        policy,
        Object.fromEntries(Object.entries(names).map(([name, amount]) => [name, BigInt(amount)])),
      ]),
    ),
  }));
}

export function valueOf({ lovelace, tokens = {} }: Amount): csl.Value {
  const value = csl.Value.new(bigNum(lovelace));
  const assets = csl.MultiAsset.new();
  for (const [policy, names] of Object.entries(tokens))
    for (const [name, amount] of Object.entries(names))
      assets.set_asset(
        csl.ScriptHash.from_hex(policy),
        csl.AssetName.new(Buffer.from(name, "hex")),
        bigNum(amount),
      );
  if (assets.len() > 0) value.set_multiasset(assets);
  return value;
}

export function bigNum(value: bigint | number): csl.BigNum {
  return csl.BigNum.from_str(String(value));
}

export function inputOf({ index, txid }: Pick<Coin, "index" | "txid">): csl.TransactionInput {
  return csl.TransactionInput.new(csl.TransactionHash.from_hex(txid), index);
}

/** An address of any era, as text. */
export function readAddress(text: string): csl.Address {
  return csl.ByronAddress.is_valid(text)
    ? csl.ByronAddress.from_base58(text).to_address()
    : csl.Address.from_bech32(text);
}

/** The signed transaction of a draft. */
export function build(draft: Draft): Uint8Array {
  const { fee, key } = draft;
  if (fee !== undefined) return signed(bodyOf(draft, fee), key);
  const { length } = signed(bodyOf(draft, 1_000_000n), key);
  const linear = csl.LinearFee.new(
    csl.BigNum.from_str(parameters.coefficient),
    csl.BigNum.from_str(parameters.constant),
  );
  const least =
    BigInt(linear.constant().to_str()) + BigInt(linear.coefficient().to_str()) * BigInt(length);
  return signed(bodyOf(draft, least), key);
}

function bodyOf(draft: Draft, fee: bigint): csl.TransactionBody {
  const { change, edit, inputs, invalidAfter, key, networkId, outputs } = draft;
  const ins = csl.TransactionInputs.new();
  for (const coin of inputs) ins.add(inputOf(coin));
  const outs = csl.TransactionOutputs.new();
  for (const [address, amount] of outputs)
    outs.add(csl.TransactionOutput.new(readAddress(address), valueOf(amount)));
  if (change !== "none") {
    const sum = inputs.reduce(
      (all, coin) => all.checked_add(valueOf(coin)),
      valueOf({ lovelace: 0n }),
    );
    const rest = outputs.reduce((left, [, amount]) => left.checked_sub(valueOf(amount)), sum);
    const kept = rest.checked_sub(valueOf({ lovelace: fee }));
    outs.add(csl.TransactionOutput.new(readAddress(addressOfKey(key)), kept));
  }
  const body = csl.TransactionBody.new_tx_body(ins, outs, bigNum(fee));
  if (invalidAfter !== undefined) body.set_ttl(bigNum(invalidAfter));
  if (networkId !== undefined)
    body.set_network_id(
      networkId === "mainnet" ? csl.NetworkId.mainnet() : csl.NetworkId.testnet(),
    );
  edit?.(body);
  return body;
}

export function signed(body: csl.TransactionBody, key: csl.PrivateKey): Uint8Array {
  const transaction = csl.FixedTransaction.new_from_body_bytes(body.to_bytes());
  transaction.sign_and_add_vkey_signature(key);
  return transaction.to_bytes();
}

/**
 * A signed transaction that mints tokens under a script of the key and pays them out. The rest of the coin comes back, less a fee that is high
 * enough.
 */
export function mintTo(
  coin: Coin,
  key: csl.PrivateKey,
  address: string,
  lovelace: bigint,
  names: readonly string[],
): { readonly raw: Uint8Array; readonly policy: string } {
  const script = csl.NativeScript.new_script_pubkey(csl.ScriptPubkey.new(key.to_public().hash()));
  const policy = script.hash().to_hex();
  const tokens = { [policy]: Object.fromEntries(names.map((name) => [name, 1n])) };
  const raw = build({
    inputs: [coin],
    outputs: [
      [address, { lovelace, tokens }],
      [addressOfKey(key), { lovelace: coin.lovelace - lovelace - mintFee }],
    ],
    change: "none",
    fee: mintFee,
    key,
    edit: (body) => {
      const mint = csl.Mint.new();
      const assets = csl.MintAssets.new();
      for (const name of names)
        assets.insert(csl.AssetName.new(Buffer.from(name, "hex")), csl.Int.new(bigNum(1)));
      mint.insert(script.hash(), assets);
      body.set_mint(mint);
    },
  });
  const transaction = csl.FixedTransaction.from_bytes(raw);
  const witnesses = csl.TransactionWitnessSet.from_bytes(transaction.raw_witness_set());
  const used = csl.NativeScripts.new();
  used.add(script);
  witnesses.set_native_scripts(used);
  transaction.set_witness_set(witnesses.to_bytes());
  return { raw: transaction.to_bytes(), policy };
}

const mintFee = 1_000_000n;

export function idOf(transaction: Uint8Array): string {
  return csl.FixedTransaction.from_bytes(transaction).transaction_hash().to_hex();
}

/** A spend of an output that a Plutus script of version 3 guards, with collateral of the key. */
export type ScriptSpend = {
  readonly locked: Coin;
  readonly script: csl.PlutusScript;
  readonly collateral: Coin;
  readonly key: csl.PrivateKey;
  /** Who gets what is locked, less the fee. */
  readonly to: string;
  /** Who gets the collateral that is left if the script fails. */
  readonly collateralReturn: string;
  /** False: the transaction says that its script fails. */
  readonly isValid: boolean;
  readonly costModel: readonly number[];
};

/** Programs (`lam x. unit` and `lam x. error`) whose outputs the first block funds. */
export const scripts = {
  alwaysSucceeds: csl.PlutusScript.new_v3(Buffer.from("450101002499", "hex")),
  alwaysFails: csl.PlutusScript.new_v3(Buffer.from("450101002601", "hex")),
} as const;

/** What the collateral of `spendScript` loses, in lovelace. */
export const takenCollateral = 1_500_000n;
const scriptFee = 1_000_000n;

/** The signed transaction of a spend. */
export function spendScript(spend: ScriptSpend): Uint8Array {
  const { collateral, collateralReturn, costModel, isValid, key, locked, script, to } = spend;
  const output = (address: string, lovelace: bigint): csl.TransactionOutput =>
    csl.TransactionOutput.new(readAddress(address), valueOf({ lovelace }));
  const inputs = csl.TransactionInputs.new();
  inputs.add(inputOf(locked));
  const outputs = csl.TransactionOutputs.new();
  outputs.add(output(to, locked.lovelace - scriptFee));
  const body = csl.TransactionBody.new_tx_body(inputs, outputs, bigNum(scriptFee));
  const collaterals = csl.TransactionInputs.new();
  collaterals.add(inputOf(collateral));
  body.set_collateral(collaterals);
  body.set_collateral_return(output(collateralReturn, collateral.lovelace - takenCollateral));
  body.set_total_collateral(bigNum(takenCollateral));
  const redeemers = csl.Redeemers.new();
  redeemers.add(
    csl.Redeemer.new(
      csl.RedeemerTag.new_spend(),
      bigNum(0),
      csl.PlutusData.new_integer(csl.BigInt.from_str("0")),
      csl.ExUnits.new(bigNum(1_000_000), bigNum(500_000_000)),
    ),
  );
  const costs = csl.CostModel.new();
  for (const [at, cost] of costModel.entries()) costs.set(at, csl.Int.from_str(String(cost)));
  const models = csl.Costmdls.new();
  models.insert(csl.Language.new_plutus_v3(), costs);
  body.set_script_data_hash(csl.hash_script_data(redeemers, models));
  const witnesses = csl.TransactionWitnessSet.new();
  const used = csl.PlutusScripts.new();
  used.add(script);
  witnesses.set_plutus_scripts(used);
  witnesses.set_redeemers(redeemers);
  const transaction = csl.Transaction.new(body, witnesses);
  transaction.set_is_valid(isValid);
  const fixed = csl.FixedTransaction.from_bytes(transaction.to_bytes());
  fixed.sign_and_add_vkey_signature(key);
  return fixed.to_bytes();
}

/** The address of a script without stake on a test network. */
export function addressOfScript(script: csl.PlutusScript): string {
  const credential = csl.Credential.from_scripthash(script.hash());
  return csl.EnterpriseAddress.new(0, credential).to_address().to_bech32();
}
