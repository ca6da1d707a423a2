import { describe, expect, it } from "vitest";
import { relyingParty } from "./relying-party.ts";

describe("relyingParty", () => {
  it.each([
    ["https://pay.example/", { id: "pay.example", origin: "https://pay.example" }],
    ["https://pay.example:8443/x", { id: "pay.example", origin: "https://pay.example:8443" }],
    ["http://localhost:8080", { id: "localhost", origin: "http://localhost:8080" }],
    ["http://127.0.0.1:8080", { id: "localhost", origin: "http://localhost:8080" }],
    ["http://[::1]", { id: "localhost", origin: "http://localhost" }],
    ["http://192.0.2.1", null],
    ["http://pay.example", null],
  ])("derives the relying party of %s", (baseUrl, expected) => {
    expect(relyingParty(baseUrl)).toEqual(expected);
  });
});
