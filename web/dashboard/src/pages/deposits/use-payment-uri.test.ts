import { describe, expect, it } from "vitest";
import { createQueryClient } from "../../api/query-client.ts";
import { paymentUriQuery } from "./use-payment-uri.ts";

const page = "https://pay.example/pay/1/";

describe("paymentUriQuery", () => {
  it.each([
    ["xrpl:r?dt=7", { uri: "xrpl:r?dt=7" }],
    [null, { uri: "" }],
    [null, null],
  ])("reads %o from the payment %o", async (uri, payment) => {
    const client = createQueryClient();
    const query = paymentUriQuery(page, () => Promise.resolve({ payment }));
    expect(await client.query(query)).toBe(uri);
    client.clear();
  });

  it("asks the page only once, even if that fails", async () => {
    const client = createQueryClient();
    const query = paymentUriQuery(page, () => Promise.reject(new Error("HTTP 429")));
    await expect(client.query(query)).rejects.toThrow("HTTP 429");
    expect(client.defaultQueryOptions(query)).toMatchObject({
      refetchInterval: false,
      staleTime: Number.POSITIVE_INFINITY,
    });
    client.clear();
  });
});
