import { describe, expect, it } from "vitest";
import { manualClock } from "../../test/support/manual-clock.ts";
import { fc } from "../../test/support/property.ts";
import { payoutOf, payoutRequest, useSignerSite } from "../../test/support/signer-site.ts";
import type { JsonValue } from "../platform/kernel/json.ts";
import { parseReply, parseRequest } from "./protocol.ts";
import { readSignRequest } from "./read-sign-request.ts";

const site = useSignerSite();

const approval = `${"A".repeat(86)}==`;
const locator = `0x${"a".repeat(40)}`;
const payout = { ...payoutOf("1"), approval };
const common = { spendId: "1", chain: "ETH", feeCeiling: "0" };
const source = {
  keyIndex: 3,
  address: locator,
  assets: [{ kind: "coin" }, { kind: "token", locator }],
};
const intents = [
  { ...common, kind: "payout", payouts: [payout, { ...payout, payoutId: "2", tag: "memo" }] },
  { ...common, kind: "sweep", sources: [source] },
  { ...common, kind: "top_up", keyIndex: 2 ** 31 - 1, units: "1" },
  { ...common, kind: "consolidation" },
  { ...common, kind: "cold", asset: { kind: "token", locator }, units: "9".repeat(78) },
  { ...common, kind: "gap" },
  { ...common, kind: "delegate", keyIndex: 0, units: "1000000" },
  { ...common, kind: "undelegate", keyIndexes: [0, 1] },
];
const requestWith = (intent: unknown) => ({ intent, body: { a: [1, null] }, claims: ["x#1"] });
const faultOf = (value: unknown): string => {
  const read = readSignRequest(value);
  return "fault" in read ? read.fault : "";
};

describe("readSignRequest", () => {
  it.each(intents)("parses a valid $kind", (intent) => {
    const request = requestWith(intent);
    expect(readSignRequest(JSON.parse(JSON.stringify(request)))).toEqual({ request });
  });

  it("reads a request without claims, as of a chain whose transactions only expire", () => {
    const request = { ...requestWith(intents[0]), claims: [] };
    expect(readSignRequest(structuredClone(request))).toEqual({ request });
  });

  /** Every object of a value, with its path. */
  function objectsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
    if (typeof value !== "object" || value === null) return [];
    const below = Object.entries(value).flatMap(([name, member]) =>
      objectsIn(member, [...path, name]),
    );
    return Array.isArray(value) ? below : [path, ...below];
  }

  function changed(
    value: unknown,
    path: readonly string[],
    change: (at: Record<string, unknown>) => void,
  ) {
    const copy = structuredClone(value);
    const at = path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], copy);
    change(at as Record<string, unknown>);
    return copy;
  }

  it.each(intents)("refuses a $kind with a missing or an additional member", (intent) => {
    const request = requestWith(intent);
    const paths = objectsIn(request).filter(([first]) => first !== "body");
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      const more = changed(request, path, (at) => (at["unexpected"] = 1));
      expect(faultOf(more)).toContain("an object without other members is needed");
      const names = Object.keys(
        path.reduce<unknown>((part, name) => (part as never)[name], request) as object,
      );
      for (const name of names) {
        expect(faultOf(changed(request, path, (at) => Reflect.deleteProperty(at, name)))).not.toBe(
          "",
        );
        for (const odd of [null, -1, 1.5, "", " ", {}, [], [[]], "x".repeat(500)] as JsonValue[]) {
          if (name === "tag" && odd === null) continue;
          if (
            (name === "body" && JSON.stringify(odd) === "{}") ||
            ((name === "sources" || name === "claims") && JSON.stringify(odd) === "[]") ||
            (name === "tag" && typeof odd === "string" && odd.length < 200)
          )
            continue;
          expect(faultOf(changed(request, path, (at) => (at[name] = odd)))).not.toBe("");
        }
      }
    }
  });

  it.each([
    [
      "a repeated claim",
      { ...requestWith(intents[3]), claims: ["a", "a"] },
      "request.claims: a list without repetition",
    ],
    [
      "too many claims",
      { ...requestWith(intents[3]), claims: Array.from({ length: 20_001 }, String) },
      "request.claims: a list of 0 to 20000",
    ],
    [
      "a repeated payout",
      requestWith({ ...intents[0], payouts: [payout, payout] }),
      "request.intent.payouts: a list without repetition",
    ],
    [
      "no payout",
      requestWith({ ...intents[0], payouts: [] }),
      "request.intent.payouts: a list of 1",
    ],
    [
      "nothing paid",
      requestWith({ ...intents[0], payouts: [{ ...payout, units: "0" }] }),
      "request.intent.payouts.0.units: an amount above 0",
    ],
    [
      "a sign before an amount",
      requestWith({ ...intents[0], payouts: [{ ...payout, units: "+1" }] }),
      "payouts.0.units: an amount of smallest units",
    ],
    [
      "a leading zero",
      requestWith({ ...intents[0], payouts: [{ ...payout, units: "01" }] }),
      "payouts.0.units",
    ],
    [
      "a deposit key beyond the last one",
      requestWith({ ...intents[2], keyIndex: 2 ** 31 }),
      "request.intent.keyIndex: a number of a key",
    ],
    [
      "an unknown kind",
      requestWith({ ...common, kind: "anything" }),
      "request.intent.kind: a kind of spend",
    ],
    [
      "a kind named like an object property",
      requestWith({ ...common, kind: "constructor" }),
      "request.intent.kind",
    ],
    [
      "a body too deep",
      {
        ...requestWith(intents[3]),
        body: JSON.parse(`{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`) as unknown,
      },
      "request.body",
    ],
  ])("refuses %s and names the member", (_name, value, fault) => {
    expect(faultOf(value)).toContain(fault);
  });

  it("treats names with a meaning in JavaScript as unknown members", () => {
    const text = JSON.stringify(requestWith(intents[3])).replace('"kind"', '"__proto__":{},"kind"');
    expect(faultOf(JSON.parse(text))).toContain("an object without other members");
  });

  /** Another fee below the ceiling makes another valid request: the body says what the spend costs. */
  const isAmount = (value: unknown) => typeof value === "string" && /^\d+$/.test(value);

  it("answers or rejects any bytes and shapes without failing", async () => {
    const folder = await site.newFolder();
    const { signing, journal, close } = await site.open(folder, manualClock());
    const good = payoutRequest("1", [site.approved(payoutOf("1"))], ["a:0"]);
    const words = fc.constantFrom(
      "intent",
      "body",
      "claims",
      "kind",
      "payouts",
      "inputs",
      "outputs",
      "fee",
    );
    const shapes = fc.oneof(
      fc.jsonValue(),
      fc.record({ intent: fc.jsonValue(), body: fc.jsonValue(), claims: fc.jsonValue() }),
      fc.tuple(words, fc.jsonValue()).map(([name, value]) => ({ ...good, [name]: value })),
      fc
        .tuple(words, fc.jsonValue())
        .filter(([name, value]) => name !== "fee" || !isAmount(value))
        .map(([name, value]) => ({ ...good, body: { ...good.body, [name]: value } })),
      fc
        .tuple(words, fc.jsonValue())
        .map(([name, value]) => ({ ...good, intent: { ...good.intent, [name]: value } })),
    );
    await fc.assert(
      fc.asyncProperty(shapes, async (value) => {
        const outcome = await signing.sign(value).catch((error: unknown) => error);
        const isAnswer = outcome instanceof Error || typeof outcome === "object";
        expect(isAnswer).toBe(true);
        expect(outcome).not.toMatchObject({ kind: "signed" });
      }),
      { numRuns: 300 },
    );
    expect(journal.newest()).toBe(0);
    expect(await signing.sign(good)).toMatchObject({ kind: "signed" });
    await close();
  });

  it("answers or rejects any line without failing", () => {
    const methods = fc.constantFrom(
      "accountKeys",
      "sign",
      "signedSpends",
      "payoutsSigned",
      "recordIssued",
      "toString",
    );
    const calls = fc.record({
      id: fc.jsonValue(),
      call: fc.dictionary(fc.string(), fc.jsonValue()),
    });
    const shaped = fc.tuple(calls, methods).map(([{ id, call }, method]) => {
      return JSON.stringify({ id, call: { ...call, method } });
    });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), shaped), (line) => {
        const request = parseRequest(line);
        if (request !== null) expect(Number.isSafeInteger(request.id)).toBe(true);
        parseReply(line);
      }),
      { numRuns: 1_000 },
    );
    const ask = (call: object) => parseRequest(JSON.stringify({ id: 1, call }));
    expect(ask({ method: "signedSpends", chain: "BTC", after: 0 })).not.toBeNull();
    for (const after of [-1, 0.5, "0", null, 2 ** 60]) {
      expect(ask({ method: "signedSpends", chain: "BTC", after })).toBeNull();
    }
    const claim = { method: "claimCoins", chain: "XMR", coins: "00", which: "new" };
    // Workers of earlier releases state no addresses.
    expect(ask(claim)?.call).toEqual({ ...claim, addresses: null });
    expect(ask({ ...claim, addresses: 200 })?.call).toEqual({ ...claim, addresses: 200 });
    for (const addresses of [-1, 0.5, "0", 2 ** 60])
      expect(ask({ ...claim, addresses })).toBeNull();
    expect(ask({ method: "payoutsSigned", payoutIds: ["1"] })).not.toBeNull();
    for (const payoutIds of [["a b"], [1], "1", null, Array.from({ length: 10_001 }, String)]) {
      expect(ask({ method: "payoutsSigned", payoutIds })).toBeNull();
    }
  });
});
