import { describe, expect, it } from "vitest";
import { SluiceError, SluiceUnreachable } from "../../../../client/src/sluice-error.ts";
import { forgetSent, readSent, type SentStorage, sendRecorded, sentBy } from "./sent-request.ts";

function storage(): SentStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => {
      items.set(key, value);
    },
    removeItem: (key) => {
      items.delete(key);
    },
  };
}

const sent = { key: "k", request: { attributes: { amount: "1" }, relationships: {} } };
const refused = new SluiceError({
  status: 400,
  meta: {},
  requestId: null,
  retryAfterMs: null,
  errors: [{ status: "400", code: "4008", title: "", detail: "", id: "1" }],
});

describe("sendRecorded", () => {
  it("records the request while it is sent, and forgets it after the answer", async () => {
    const store = storage();
    const answer = await sendRecorded(store, "payout", sent, (request) => {
      expect(readSent(store, "payout")).toEqual(sent);
      expect(readSent(store, "return-1")).toBeNull();
      return Promise.resolve(request.key);
    });
    expect(answer).toBe("k");
    expect(readSent(store, "payout")).toBeNull();
  });

  it("keeps the record after a lost response, until it is forgotten", async () => {
    const store = storage();
    const lost = new SluiceUnreachable("", { isTimeout: true });
    await expect(sendRecorded(store, "payout", sent, () => Promise.reject(lost))).rejects.toBe(
      lost,
    );
    expect(readSent(store, "payout")).toEqual(sent);
    forgetSent(store, "payout");
    expect(readSent(store, "payout")).toBeNull();
  });

  it("forgets a refused request", async () => {
    const store = storage();
    const sending = sendRecorded(store, "payout", sent, () => Promise.reject(refused));
    await expect(sending).rejects.toBe(refused);
    expect(readSent(store, "payout")).toBeNull();
  });
});

describe("readSent", () => {
  it("returns what the same member sent, and nothing of another one in the same tab", async () => {
    const store = storage();
    const lost = new SluiceUnreachable("", { isTimeout: true });
    const sending = sendRecorded(store, sentBy("7", "payout"), sent, () => Promise.reject(lost));
    await expect(sending).rejects.toBe(lost);
    expect(readSent(store, sentBy("8", "payout"))).toBeNull();
    expect(readSent(store, sentBy("7", "payout"))).toEqual(sent);
  });

  it("returns null for malformed records", () => {
    const store = storage();
    for (const text of ["{", "null", '{"key":1}']) {
      store.setItem("sluice-payout-sent", text);
      expect(readSent(store, "payout")).toBeNull();
    }
  });
});
