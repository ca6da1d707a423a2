import { describe, expect, it } from "vitest";
import { type Framed, tellEmbedder } from "./tell-embedder.ts";

/* The embedding page learns the stage only if the store allows its origin, and only after it has asked. */

const shop = "https://shop.example";
const waiting = { id: "1", order: "4711", embedders: [shop], stage: "waiting" } as const;
const hello = { source: "sluice-embed", type: "hello" };

function frame() {
  const told: (readonly [unknown, string])[] = [];
  let listener: Parameters<Framed["addEventListener"]>[1] = () => undefined;
  const parent = {
    postMessage: (message: unknown, origin: string) => {
      told.push([message, origin]);
    },
  };
  const window: Framed = {
    parent,
    addEventListener: (_type, added) => {
      listener = added;
    },
  };
  return {
    window,
    /** Without the first message, which has no content. */
    told: () => told.slice(1),
    first: () => told[0],
    receive: (origin: string, data: unknown = hello, source: unknown = parent) => {
      listener({ origin, source, data });
    },
  };
}

const stateOf = (stage: string) => [
  { source: "sluice", type: "state", id: "1", stage, order: "4711" },
  shop,
];

describe("a framed page", () => {
  it("tells each stage once to the shop's origin, after it said hello", () => {
    const { window, told, first, receive } = frame();
    const { tell } = tellEmbedder(window, waiting);
    tell({ ...waiting, stage: "seen" });
    expect(first()).toEqual([{ source: "sluice", type: "ready" }, "*"]);
    expect(told()).toEqual([]);
    receive(shop);
    tell({ ...waiting, stage: "seen" });
    tell({ ...waiting, stage: "paid" });
    expect(told()).toEqual([stateOf("seen"), stateOf("paid")]);
  });

  it.each([
    ["an origin that the store does not allow", "https://evil.example", hello, null],
    ["an origin without a site", "null", hello, null],
    ["another window of the shop", shop, hello, {}],
    ["another message", shop, { source: "sluice-embed" }, null],
    ["no object", shop, "hello", null],
  ])("tells nothing to %s", (_case, origin, data, source) => {
    const { window, told, receive } = frame();
    const { tell } = tellEmbedder(window, waiting);
    receive(origin, data, source ?? window.parent);
    tell({ ...waiting, stage: "paid" });
    expect(told()).toEqual([]);
  });

  it("stops when the store no longer allows the origin", () => {
    const { window, told, receive } = frame();
    const { tell } = tellEmbedder(window, waiting);
    receive(shop);
    tell({ ...waiting, embedders: [], stage: "paid" });
    expect(told()).toEqual([stateOf("waiting")]);
  });

  it("tells nothing on a page without a payment", () => {
    const { window, told, receive } = frame();
    tellEmbedder(window, null);
    receive(shop);
    expect(told()).toEqual([]);
  });
});
