/* The HTTP provider with the sandbox's local service and with malformed responses. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createFetchText } from "../../currencies/rates/fetch-text.ts";
import type { FetchText, TextRequest } from "../../platform/kernel/fetch-text.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import {
  redAddresses,
  type ScreeningServer,
  startScreeningServer,
} from "../../sandbox/screening-server.ts";
import { createHttpScreening } from "./http-provider.ts";
import type { ScreeningQuestion } from "./provider.ts";

const question: ScreeningQuestion = {
  direction: "deposit",
  chain: "ETH",
  currency: "USDT-ETH",
  amount: "10.000000",
  address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  from: ["0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"],
  txid: "0x12",
};
const neverAborts = new AbortController().signal;
const fetchText = createFetchText({ clock: systemClock, timeoutMs: 60_000 });

let server: ScreeningServer;
beforeAll(async () => {
  server = await startScreeningServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.setAnswering(true);
});

const ask = (change: Partial<ScreeningQuestion> = {}) =>
  createHttpScreening(fetchText, { url: server.url, token: null }).screen(
    { ...question, ...change },
    neverAborts,
  );

describe("the HTTP screening provider", () => {
  it("scores a listed address red in any spelling, as payer and as receiver", async () => {
    expect(await ask()).toEqual({ risk: 5, verdict: "green" });
    for (const address of redAddresses) {
      expect(await ask({ from: [...question.from, address.toLowerCase()] })).toEqual({
        risk: 95,
        verdict: "red",
      });
      expect(await ask({ direction: "payout", address, from: [], txid: null })).toEqual({
        risk: 95,
        verdict: "red",
      });
    }
  });

  it("applies changes of the list at run time", async () => {
    server.setRed(question.address, true);
    expect(await ask()).toEqual({ risk: 95, verdict: "red" });
    server.setRed(question.address, false);
    expect(await ask()).toEqual({ risk: 5, verdict: "green" });
  });

  it("reports an unreachable service as unavailable", async () => {
    server.setAnswering(false);
    await expect(ask()).rejects.toThrow(Unavailable);
  });

  it("sends the complete request with the token and nothing else", async () => {
    const requests: TextRequest[] = [];
    const recording: FetchText = (request) => {
      requests.push(request);
      return Promise.resolve('{"risk": 0, "verdict": "green", "vendor": "x"}');
    };
    const options = { url: "https://screening.example/v1", token: "secret" };
    expect(await createHttpScreening(recording, options).screen(question, neverAborts)).toEqual({
      risk: 0,
      verdict: "green",
    });
    expect(requests).toEqual([
      {
        url: options.url,
        headers: { authorization: "Bearer secret" },
        post: { contentType: "application/json", body: expect.any(String) as unknown },
      },
    ]);
    expect(JSON.parse(requests[0]?.post?.body ?? "")).toEqual(question);
  });

  it.each([
    "",
    "null",
    "[]",
    '{"verdict":"green"}',
    '{"risk":5}',
    '{"risk":-1,"verdict":"green"}',
    '{"risk":101,"verdict":"red"}',
    '{"risk":5.5,"verdict":"green"}',
    '{"risk":"5","verdict":"green"}',
    '{"risk":5,"verdict":"GREEN"}',
  ])("leaves the transfer queued after the response %s", async (text) => {
    const provider = createHttpScreening(() => Promise.resolve(text), {
      url: "https://screening.example/v1",
      token: null,
    });
    await expect(provider.screen(question, neverAborts)).rejects.toThrow(Unavailable);
  });
});
