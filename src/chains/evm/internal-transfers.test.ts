import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { Malformed } from "../rpc/answer.ts";
import { movesOfCallTrace, movesOfTraceBlock } from "./internal-transfers.ts";

describe("internal transfers", () => {
  /*
   * Executions of any shape, reported both as Geth's callTracer and as Parity's flat traces: both must yield the moves that an
   * independent walk over the execution finds.
   */

  type Kind =
    | "CALL"
    | "DELEGATECALL"
    | "STATICCALL"
    | "CALLCODE"
    | "CREATE"
    | "CREATE2"
    | "SELFDESTRUCT";
  type Execution = {
    readonly kind: Kind;
    readonly from: string;
    readonly to: string;
    readonly value: bigint;
    readonly fails: boolean;
    readonly inner: readonly Execution[];
  };

  const blockHash = `0x${"b1".repeat(32)}`;
  const txid = `0x${"a1".repeat(32)}`;
  const hex = (value: bigint): string => `0x${value.toString(16)}`;
  const addressOf = (number: number): string => `0x${number.toString(16).padStart(40, "0")}`;

  const address = fc.constantFrom(...[1, 9, 0x10000, 0x10001, 0x10002, 0x10003].map(addressOf));
  const kinds: readonly Kind[] = [
    "CALL",
    "DELEGATECALL",
    "STATICCALL",
    "CALLCODE",
    "CREATE",
    "CREATE2",
    "SELFDESTRUCT",
  ];

  const execution: fc.Memo<Execution> = fc.memo((depth) =>
    fc.record<Execution>({
      kind: fc.constantFrom(...kinds),
      from: address,
      to: address,
      value: fc.bigInt({ min: 0n, max: 3n }),
      fails: fc.boolean(),
      inner: depth > 1 ? fc.array(execution(), { maxLength: 3 }) : fc.constant([]),
    }),
  );

  function plainWalk(root: Execution): readonly unknown[] {
    if (root.fails) return [];
    return root.inner.flatMap((inner) => {
      if (inner.fails) return [];
      const isMove =
        !["DELEGATECALL", "STATICCALL", "CALLCODE"].includes(inner.kind) &&
        inner.value > 0n &&
        inner.from !== inner.to &&
        BigInt(inner.to) >= 0x10000n;
      const { from, to, value } = inner;
      return [...(isMove ? [{ from, to, units: value }] : []), ...plainWalk(inner)];
    });
  }

  function asCallTrace({ kind, from, to, value, fails, inner }: Execution): unknown {
    return {
      type: kind,
      from,
      to,
      ...(kind === "STATICCALL" ? {} : { value: hex(value) }),
      ...(fails ? { error: "execution reverted" } : {}),
      ...(inner.length === 0 ? {} : { calls: inner.map(asCallTrace) }),
    };
  }

  function asFlatTraces(root: Execution, traceAddress: readonly number[] = []): readonly object[] {
    const { kind, from, to, value, fails, inner } = root;
    const common = {
      blockHash,
      transactionHash: txid,
      traceAddress,
      ...(fails ? { error: "Reverted", result: null } : { result: { address: to } }),
    };
    const own = kind.startsWith("CREATE")
      ? { type: "create", action: { from, value: hex(value) } }
      : kind === "SELFDESTRUCT"
        ? { type: "suicide", action: { address: from, refundAddress: to, balance: hex(value) } }
        : { type: "call", action: { callType: kind.toLowerCase(), from, to, value: hex(value) } };
    return [
      { ...common, ...own },
      ...inner.flatMap((frame, place) => asFlatTraces(frame, [...traceAddress, place])),
    ];
  }

  it("reads the same transfers from both kinds of trace, in order of execution", () => {
    fc.assert(
      fc.property(execution(4), fc.nat(), (root, seed) => {
        const moves = plainWalk(root);
        expect(movesOfCallTrace(asCallTrace(root))).toEqual(moves);
        const reward = { type: "reward", blockHash, transactionHash: null, traceAddress: [] };
        const flat = [...asFlatTraces(root), reward];
        const turned = [...flat.slice(seed % flat.length), ...flat.slice(0, seed % flat.length)];
        expect(movesOfTraceBlock(turned, blockHash).get(txid)).toEqual(moves);
      }),
      { numRuns: 500 },
    );
  });

  it("refuses traces of another block", () => {
    const root = {
      kind: "CALL",
      from: addressOf(1),
      to: addressOf(2),
      value: 0n,
      fails: false,
      inner: [],
    } as const;
    expect(() => movesOfTraceBlock(asFlatTraces(root), `0x${"b2".repeat(32)}`)).toThrow(Malformed);
  });

  const root = { type: "CALL", from: addressOf(1) };
  it.each([
    [null],
    ["0x"],
    [{}],
    [{ from: addressOf(1), calls: [] }],
    [{ type: "CALL", calls: [] }],
    [{ ...root, calls: "0x" }],
    [{ ...root, calls: [{ from: addressOf(1), to: addressOf(2), value: "0x1" }] }],
    [{ ...root, calls: [{ type: "CALL", from: addressOf(1), to: "0x", value: "0x1" }] }],
    [{ ...root, calls: [{ type: "CALL", from: addressOf(1), to: addressOf(2), value: "1" }] }],
  ])("refuses %j as a call trace", (trace) => {
    expect(() => movesOfCallTrace(trace)).toThrow(Malformed);
  });
});
