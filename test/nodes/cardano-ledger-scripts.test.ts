import csl from "@emurgo/cardano-serialization-lib-nodejs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import {
  addressOfScript,
  bigNum,
  build,
  type Coin,
  coinsOf,
  idOf,
  type ScriptSpend,
  scripts,
  signed,
  spendScript,
  takenCollateral,
} from "../support/build-cardano.ts";
import {
  addressOfKey,
  type PrivateCardano,
  startPrivateCardano,
} from "../support/private-cardano.ts";

/* Scripts, tokens and metadata on the simulated Cardano network, with transactions of the wallets' library. */

let chain: PrivateCardano;
let costModel: readonly number[];
beforeAll(async () => {
  chain = await startPrivateCardano();
  const parameters = (await chain.result("queryLedgerState/protocolParameters")) as {
    readonly plutusCostModels: Readonly<Record<string, readonly number[]>>;
  };
  costModel = present(parameters.plutusCostModels["plutus:v3"], "the costs of version 3");
});
afterAll(async () => {
  await chain.stop();
});

type Found = {
  readonly transaction_id: string;
  readonly output_index: number;
  readonly value: { readonly coins: number; readonly assets: Readonly<Record<string, number>> };
  readonly spent_at: object | null;
};
const newAddress = (): string => addressOfKey(csl.PrivateKey.generate_ed25519());
const found = async (pattern: string): Promise<readonly Found[]> =>
  (await chain.kupo(`/matches/${pattern}`)).body as readonly Found[];

/** Coins of the faucet, of ADA alone or with tokens. */
async function coins(hasTokens: boolean): Promise<readonly Coin[]> {
  const all = await coinsOf(chain, chain.faucetAddress);
  return all.filter(({ tokens = {} }) => Object.keys(tokens).length > 0 === hasTokens);
}

async function spendOf(change: Pick<ScriptSpend, "script" | "isValid">): Promise<ScriptSpend> {
  const [locked] = await coinsOf(chain, addressOfScript(change.script));
  const [collateral] = await coins(false);
  return {
    locked: present(locked, "an output of the script"),
    collateral: present(collateral, "a coin"),
    key: chain.faucet,
    to: newAddress(),
    collateralReturn: newAddress(),
    costModel,
    ...change,
  };
}

describe("a script that fails", () => {
  it("is refused, unless the transaction says so", async () => {
    const spend = await spendOf({ script: scripts.alwaysFails, isValid: true });
    expect((await chain.submit(spendScript(spend))).error).toMatchObject({
      code: 3136,
      data: { declaredSpending: "inputs", mismatchReason: "The transaction failed unexpectedly." },
    });
  });

  it("takes the collateral, and only the rest of that arrives, after the index of the outputs", async () => {
    const spend = await spendOf({ script: scripts.alwaysFails, isValid: false });
    const raw = spendScript(spend);
    expect((await chain.submit(raw)).error).toBeUndefined();
    await chain.mine();
    expect(await found(spend.to)).toEqual([]);
    const rest = Number(spend.collateral.lovelace - takenCollateral);
    expect(await found(spend.collateralReturn)).toMatchObject([
      { transaction_id: idOf(raw), output_index: 1, value: { coins: rest } },
    ]);
    expect(await found(`${spend.locked.index}@${spend.locked.txid}`)).toMatchObject([
      { spent_at: null },
    ]);
    expect(await found(`${spend.collateral.index}@${spend.collateral.txid}`)).toMatchObject([
      { spent_at: { transaction_id: idOf(raw), input_index: 0, redeemer: null } },
    ]);
    await chain.control("/reorg", { depth: 1, transactions: "drop" });
    expect(await found(`${spend.collateral.index}@${spend.collateral.txid}`)).toMatchObject([
      { spent_at: null },
    ]);
  });

  it("is a failure of the evaluation", async () => {
    const spend = await spendOf({ script: scripts.alwaysFails, isValid: true });
    const cbor = Buffer.from(spendScript(spend)).toString("hex");
    const { error } = await chain.ask("evaluateTransaction", { transaction: { cbor } });
    expect(error).toMatchObject({
      code: 3010,
      data: [{ validator: { index: 0, purpose: "spend" }, error: { code: 3012 } }],
    });
  });
});

describe("a script that succeeds", () => {
  it("is refused if the transaction says that it fails", async () => {
    const spend = await spendOf({ script: scripts.alwaysSucceeds, isValid: false });
    expect((await chain.submit(spendScript(spend))).error).toMatchObject({
      code: 3136,
      data: { declaredSpending: "collaterals" },
    });
  });

  it("is evaluated, and pays what it guards", async () => {
    const spend = await spendOf({ script: scripts.alwaysSucceeds, isValid: true });
    const raw = spendScript(spend);
    const cbor = Buffer.from(raw).toString("hex");
    const evaluated = await chain.result("evaluateTransaction", { transaction: { cbor } });
    expect(evaluated).toEqual([
      {
        validator: { purpose: "spend", index: 0 },
        budget: { memory: expect.any(Number) as number, cpu: expect.any(Number) as number },
      },
    ]);
    expect((await chain.submit(raw)).error).toBeUndefined();
    await chain.mine();
    expect(await found(spend.to)).toMatchObject([{ value: { coins: 99_000_000 } }]);
    expect(await found(`${spend.locked.index}@${spend.locked.txid}`)).toMatchObject([
      { spent_at: { redeemer: "00" } },
    ]);
  });
});

describe("a token", () => {
  it("arrives with the ADA that it needs, and is found by its policy", async () => {
    const [coin] = await coins(true);
    const tokens = coin?.tokens ?? {};
    const [policy = "", names = {}] = Object.entries(tokens)[0] ?? [];
    const [name = ""] = Object.keys(names);
    const address = newAddress();
    const raw = build({
      inputs: [present(coin, "a coin with tokens")],
      outputs: [[address, { lovelace: 1_500_000n, tokens: { [policy]: { [name]: 77n } } }]],
      key: chain.faucet,
    });
    expect((await chain.submit(raw)).error).toBeUndefined();
    await chain.mine();
    const value = { coins: 1_500_000, assets: { [`${policy}.${name}`]: 77 } };
    expect(await found(address)).toMatchObject([{ value }]);
    const own = (one: Found): boolean => one.transaction_id === idOf(raw);
    expect((await found(`${policy}.*?unspent`)).filter(own)).toHaveLength(2);
    expect(await found(`${policy}.ff?unspent`)).toEqual([]);
    expect(await chain.result("queryLedgerState/utxo", { addresses: [address] })).toMatchObject([
      { value: { ada: { lovelace: 1_500_000 }, [policy]: { [name]: 77 } } },
    ]);
  });

  it("is minted by a native script of the faucet's key, and by nobody else's", async () => {
    const script = csl.NativeScript.new_script_pubkey(
      csl.ScriptPubkey.new(chain.faucet.to_public().hash()),
    );
    const policy = script.hash().to_hex();
    const [coin] = await coins(false);
    const own = present(coin, "a coin");
    const tokens = { [policy]: { "6e6577": 9n } };
    const raw = build({
      inputs: [own],
      outputs: [[chain.faucetAddress, { lovelace: own.lovelace - 300_000n, tokens }]],
      change: "none",
      fee: 300_000n,
      key: chain.faucet,
      edit: (body) => {
        const mint = csl.Mint.new();
        const assets = csl.MintAssets.new();
        assets.insert(csl.AssetName.new(Buffer.from("6e6577", "hex")), csl.Int.new(bigNum(9)));
        mint.insert(script.hash(), assets);
        body.set_mint(mint);
      },
    });
    expect((await chain.submit(raw)).error).toMatchObject({ code: 3102 });
    const transaction = csl.FixedTransaction.from_bytes(raw);
    const witnesses = csl.TransactionWitnessSet.from_bytes(transaction.raw_witness_set());
    const used = csl.NativeScripts.new();
    used.add(script);
    witnesses.set_native_scripts(used);
    transaction.set_witness_set(witnesses.to_bytes());
    expect((await chain.submit(transaction.to_bytes())).error).toBeUndefined();
    await chain.mine();
    expect(await found(`${policy}.6e6577`)).toHaveLength(1);
    expect((await chain.kupo(`/scripts/${policy}`)).body).toEqual({
      language: "native",
      script: script.to_hex(),
    });
  });
});

describe("metadata", () => {
  it("is in the block as JSON, and has to have the hash of the body", async () => {
    const [coin] = await coins(false);
    const metadata = csl.GeneralTransactionMetadata.new();
    metadata.insert(
      bigNum(674),
      csl.encode_json_str_to_metadatum(
        JSON.stringify({ msg: ["order 17", 4] }),
        csl.MetadataJsonSchema.NoConversions,
      ),
    );
    const auxiliary = csl.AuxiliaryData.new();
    auxiliary.set_metadata(metadata);
    const own = present(coin, "a coin");
    const hash = csl.hash_auxiliary_data(auxiliary);
    const body = csl.Transaction.from_bytes(
      build({
        inputs: [own],
        outputs: [[newAddress(), { lovelace: 2_000_000n }]],
        key: chain.faucet,
        fee: 250_000n,
        edit: (changed) => {
          changed.set_auxiliary_data_hash(hash);
        },
      }),
    ).body();
    expect((await chain.submit(signed(body, chain.faucet))).error).toMatchObject({
      code: 3106,
      data: { metadata: { hash: hash.to_hex() } },
    });
    const transaction = csl.FixedTransaction.new_with_auxiliary(
      body.to_bytes(),
      csl.TransactionWitnessSet.new().to_bytes(),
      auxiliary.to_bytes(),
      true,
    );
    transaction.sign_and_add_vkey_signature(chain.faucet);
    expect((await chain.submit(transaction.to_bytes())).error).toBeUndefined();
    const mempool = await chain.mempool();
    expect(mempool).toMatchObject([
      { metadata: { hash: hash.to_hex(), labels: { 674: { json: { msg: ["order 17", 4] } } } } },
    ]);
    await chain.mine();
  });
});
