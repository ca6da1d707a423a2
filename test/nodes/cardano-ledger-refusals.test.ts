import csl from "@emurgo/cardano-serialization-lib-nodejs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import {
  bigNum,
  build,
  type Coin,
  coinsOf,
  type Draft,
  idOf,
  valueOf,
} from "../support/build-cardano.ts";
import {
  addressOfKey,
  type OgmiosAnswer,
  type PrivateCardano,
  startPrivateCardano,
} from "../support/private-cardano.ts";

/* What the simulated Cardano network refuses, with the codes and the data of Ogmios. Transactions are built with the wallets' library. */

let chain: PrivateCardano;
let address: string;
beforeAll(async () => {
  chain = await startPrivateCardano();
  address = addressOfKey(csl.PrivateKey.generate_ed25519());
});
afterAll(async () => {
  await chain.stop();
});

async function coin(): Promise<Coin> {
  const coins = await coinsOf(chain, chain.faucetAddress);
  return present(
    coins.find(({ tokens }) => Object.keys(tokens ?? {}).length === 0),
    "a coin",
  );
}

/** A right payment of 2 ADA, except for what is given. */
async function draft(change: Partial<Draft> = {}): Promise<Draft> {
  const outputs = [[address, { lovelace: 2_000_000n }]] as const;
  return { inputs: [await coin()], outputs, key: chain.faucet, ...change };
}

async function refusalOf(transaction: Uint8Array): Promise<NonNullable<OgmiosAnswer["error"]>> {
  const { error } = await chain.submit(transaction);
  return present(error, "an error");
}

const slotOfTip = async (): Promise<number> =>
  ((await chain.result("queryNetwork/tip")) as { readonly slot: number }).slot;

describe("a transaction is refused", () => {
  it("with a signature of another body", async () => {
    const wrong = build(await draft());
    const at = Buffer.from(wrong).lastIndexOf(Buffer.from("5840", "hex")) + 5;
    wrong[at] = (wrong[at] ?? 0) ^ 1;
    expect(await refusalOf(wrong)).toMatchObject({
      code: 3100,
      data: { invalidSignatories: [chain.faucet.to_public().to_hex()] },
    });
  });

  it("without the signature of an input's key", async () => {
    const stranger = csl.PrivateKey.generate_ed25519();
    const unsigned = await draft({ key: stranger });
    expect(await refusalOf(build(unsigned))).toMatchObject({
      code: 3101,
      data: { missingSignatories: [chain.faucet.to_public().hash().to_hex()] },
    });
  });

  it("with an input that is spent, or one of several", async () => {
    const spent = await draft();
    const transaction = build(spent);
    expect((await chain.submit(transaction)).error).toBeUndefined();
    // Ogmios has no code for a transaction that the pool or a block already has.
    const known = {
      code: 3997,
      data: { error: "All inputs are spent. Transaction has probably already been included" },
    };
    expect(await refusalOf(transaction)).toMatchObject(known);
    await chain.mine();
    expect(await refusalOf(transaction)).toMatchObject(known);
    const [old] = spent.inputs;
    const both = await draft({ inputs: [present(old, "an input"), await coin()] });
    expect(await refusalOf(build(both))).toMatchObject({
      code: 3117,
      data: { unknownOutputReferences: [{ transaction: { id: old?.txid }, index: old?.index }] },
    });
  });

  it("from the slot after its last one on, counted from the tip", async () => {
    const slot = await slotOfTip();
    const late = await draft({ invalidAfter: slot + 1 });
    expect(await refusalOf(build(late))).toMatchObject({
      code: 3118,
      data: { validityInterval: { invalidAfter: slot + 1 }, currentSlot: slot + 1 },
    });
    const early = await draft({
      edit: (body) => {
        body.set_validity_start_interval_bignum(bigNum(slot + 2));
      },
    });
    expect(await refusalOf(build(early))).toMatchObject({
      code: 3118,
      data: { validityInterval: { invalidBefore: slot + 2 } },
    });
    expect((await chain.submit(build({ ...late, invalidAfter: slot + 2 }))).error).toBeUndefined();
    await chain.mine();
  });

  it("with an output of less than the minimum, which Ogmios computes", async () => {
    const poor = await draft({ outputs: [[address, { lovelace: 840_000n }]] });
    const { code, data } = await refusalOf(build(poor));
    expect(code).toBe(3125);
    const output = csl.TransactionOutput.new(
      csl.Address.from_bech32(address),
      valueOf({ lovelace: 840_000n }),
    );
    const cost = csl.DataCost.new_coins_per_byte(bigNum(4_310));
    const least = Number(csl.min_ada_for_output(output, cost).to_str());
    expect(data).toEqual({
      insufficientlyFundedOutputs: [
        {
          output: { address, value: { ada: { lovelace: 840_000 } } },
          minimumRequiredValue: { ada: { lovelace: least } },
        },
      ],
    });
    const enough = { ...poor, outputs: [[address, { lovelace: BigInt(least) }]] as const };
    expect((await chain.submit(build(enough))).error).toBeUndefined();
    await chain.mine();
  });

  it("with a fee below the least one by a single lovelace", async () => {
    const one = await draft();
    const transaction = build(one);
    // The ledger counts the bytes without the one that says whether scripts failed; wallets count all.
    const least = BigInt(csl.Transaction.from_bytes(transaction).body().fee().to_str()) - 44n;
    expect(await refusalOf(build({ ...one, fee: least - 1n }))).toMatchObject({
      code: 3122,
      data: {
        minimumRequiredFee: { ada: { lovelace: Number(least) } },
        providedFee: { ada: { lovelace: Number(least - 1n) } },
      },
    });
  });

  it("that pays out more than it takes", async () => {
    const own = await coin();
    const unbalanced = await draft({
      inputs: [own],
      outputs: [[address, { lovelace: own.lovelace }]],
      change: "none",
      fee: 200_000n,
    });
    expect(await refusalOf(build(unbalanced))).toMatchObject({
      code: 3123,
      data: {
        valueConsumed: { ada: { lovelace: Number(own.lovelace) } },
        valueProduced: { ada: { lovelace: Number(own.lovelace + 200_000n) } },
      },
    });
  });

  it("that pays out a token that it does not take", async () => {
    const own = await coin();
    const policy = "ab".repeat(28);
    const tokens = { [policy]: { "01": 5n } };
    const unknown = await draft({
      inputs: [own],
      outputs: [[address, { lovelace: own.lovelace - 200_000n, tokens }]],
      change: "none",
      fee: 200_000n,
    });
    const { code, data } = await refusalOf(build(unknown));
    expect(code).toBe(3123);
    expect(data).toEqual({
      valueConsumed: { ada: { lovelace: Number(own.lovelace) } },
      valueProduced: { ada: { lovelace: Number(own.lovelace) }, [policy]: { "01": 5 } },
    });
  });

  it("for another network", async () => {
    const credential = csl.Credential.from_keyhash(chain.faucet.to_public().hash());
    const mainnet = csl.EnterpriseAddress.new(1, credential).to_address().to_bech32();
    const foreign = await draft({ outputs: [[mainnet, { lovelace: 2_000_000n }]] });
    expect(await refusalOf(build(foreign))).toMatchObject({
      code: 3124,
      data: {
        discriminatedType: "address",
        expectedNetwork: "testnet",
        invalidEntities: [mainnet],
      },
    });
    expect(await refusalOf(build(await draft({ networkId: "mainnet" })))).toMatchObject({
      code: 3124,
      data: { discriminatedType: "transaction", expectedNetwork: "testnet" },
    });
  });

  it("that mints without the policy's script", async () => {
    const policy = "cd".repeat(28);
    const tokens = { [policy]: { "02": 5n } };
    const own = await coin();
    const minting = await draft({
      inputs: [own],
      outputs: [[address, { lovelace: own.lovelace - 200_000n, tokens }]],
      change: "none",
      fee: 200_000n,
      edit: (body) => {
        body.set_mint(csl.Mint.from_json(JSON.stringify([[policy, { "02": "5" }]])));
      },
    });
    expect(await refusalOf(build(minting))).toMatchObject({
      code: 3102,
      data: { missingScripts: [policy] },
    });
  });

  it("that registers stake, which this ledger does not have", async () => {
    const staking = await draft({
      edit: (body) => {
        const certificates = csl.Certificates.new();
        const credential = csl.Credential.from_keyhash(chain.faucet.to_public().hash());
        certificates.add(
          csl.Certificate.new_stake_registration(csl.StakeRegistration.new(credential)),
        );
        body.set_certs(certificates);
      },
    });
    const { code, data } = await refusalOf(build(staking));
    expect([code, data]).toEqual([3997, { error: "This simulated ledger has no certificates" }]);
  });

  it("with bytes that are no transaction", async () => {
    expect((await refusalOf(Uint8Array.of(0x80))).code).toBe(-32_602);
    const cut = build(await draft()).slice(0, -4);
    expect((await refusalOf(cut)).code).toBe(-32_602);
  });
});

describe("a refused transaction", () => {
  it("changes nothing", async () => {
    const before = await coinsOf(chain, chain.faucetAddress);
    await refusalOf(build(await draft({ outputs: [[address, { lovelace: 1n }]] })));
    await chain.mine();
    const known = new Set(before.map(({ index, txid }) => `${txid}#${index}`));
    const after = await coinsOf(chain, chain.faucetAddress);
    expect(after.every(({ index, txid }) => known.has(`${txid}#${index}`))).toBe(true);
  });
});

describe("the pool", () => {
  it("forgets what it lost, and takes it again", async () => {
    const transaction = build(await draft());
    expect((await chain.submit(transaction)).error).toBeUndefined();
    await chain.control("/evict");
    await chain.mine();
    expect((await chain.kupo(`/matches/*@${idOf(transaction)}`)).body).toEqual([]);
    expect((await chain.submit(transaction)).error).toBeUndefined();
    await chain.mine();
    expect((await chain.kupo(`/matches/*@${idOf(transaction)}`)).body).toHaveLength(2);
  });

  it("answers success to what it swallows", async () => {
    await chain.control("/swallow-broadcasts", { count: 1 });
    const transaction = build(await draft());
    expect(await chain.submit(transaction)).toMatchObject({
      result: { transaction: { id: idOf(transaction) } },
    });
    await chain.mine();
    expect((await chain.kupo(`/matches/*@${idOf(transaction)}`)).body).toEqual([]);
  });

  it("drops a transaction whose last slot passes while blocks are empty", async () => {
    const slot = await slotOfTip();
    const transaction = build(await draft({ invalidAfter: slot + 50 }));
    expect((await chain.submit(transaction)).error).toBeUndefined();
    await chain.control("/mine", { blocks: 2, slots: 30, empty: true });
    await chain.mine();
    expect((await chain.kupo(`/matches/*@${idOf(transaction)}`)).body).toEqual([]);
    expect((await refusalOf(transaction)).code).toBe(3118);
  });

  it("drops what builds on a transaction whose last slot passes", async () => {
    const slot = await slotOfTip();
    const first = build(await draft({ invalidAfter: slot + 20 }));
    expect((await chain.submit(first)).error).toBeUndefined();
    const second = build(await draft({ inputs: [changeOf(first)] }));
    expect((await chain.submit(second)).error).toBeUndefined();
    await chain.control("/mine", { slots: 30 });
    for (const lost of [first, second])
      expect((await chain.kupo(`/matches/*@${idOf(lost)}`)).body).toEqual([]);
    expect(await chain.mempool()).toEqual([]);
  });

  it("takes a chain of transactions, each on the change of the one before", async () => {
    const first = build(await draft());
    expect((await chain.submit(first)).error).toBeUndefined();
    const second = build(await draft({ inputs: [changeOf(first)] }));
    expect((await chain.submit(second)).error).toBeUndefined();
    await chain.mine();
    expect((await chain.kupo(`/matches/1@${idOf(first)}?spent`)).body).toHaveLength(1);
  });
});

/** What returns to the faucet from a payment. */
function changeOf(transaction: Uint8Array): Coin {
  const change = csl.Transaction.from_bytes(transaction).body().outputs().get(1);
  return {
    txid: idOf(transaction),
    index: 1,
    address: chain.faucetAddress,
    lovelace: BigInt(change.amount().coin().to_str()),
  };
}
