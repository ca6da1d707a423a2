import { isIP } from "node:net";
import { parseNetwork } from "../../../src/accounts/tokens/allowed-network.ts";
import {
  compileCallbackPolicy,
  parseCallbackUrl,
  publicCallbacks,
} from "../../../src/callbacks/callback-url.ts";
import { newDepositDocument } from "../../../src/deposits/deposit-documents.ts";
import { depositDefinition } from "../../../src/deposits/deposit-resource.ts";
import { parseJson } from "../../../src/http/jsonapi/parse-json.ts";
import { readDocumentWithFaults } from "../../../src/http/jsonapi/read-document.ts";
import { queryParameters, readListQuery } from "../../../src/http/jsonapi/read-query.ts";
import { exportIvms101, ivmsFormats } from "../../../src/payouts/travel-rule/export-ivms101.ts";
import { readTravelRule } from "../../../src/payouts/travel-rule/read-travel-rule.ts";
import { formatDecimal, parseDecimal } from "../../../src/platform/kernel/decimal.ts";
import type { JsonValue } from "../../../src/platform/kernel/json.ts";
import { parseQueryTimestamp } from "../../../src/platform/kernel/query-timestamp.ts";
import { Rejected } from "../../../src/platform/kernel/rejection.ts";
import { formatTimestamp, parseTimestamp } from "../../../src/platform/kernel/timestamp.ts";
import { readSearchText } from "../../../src/reports/search/read-search-text.ts";
import { jsonOf, rejecting, type Target, textOf } from "../engine/target.ts";

const travelRule = {
  beneficiary: {
    beneficiaryPersons: [
      {
        naturalPerson: {
          name: { nameIdentifier: [{ primaryIdentifier: "Lovelace", secondaryIdentifier: "Ada" }] },
          geographicAddress: [{ country: "GB", addressLine: "12 St James's Square" }],
        },
      },
    ],
  },
};
const deposit = {
  data: {
    type: "deposit",
    attributes: {
      label: "Order 7",
      tracking_id: "7",
      confirmations_needed: 2,
      time_limit: 3_600,
      callback_url: "https://shop.example/paid",
      target_amount_requested: "10.50",
      inaccuracy: "0.1",
      is_active: true,
      travel_rule_info: travelRule,
    },
    relationships: {
      wallet: { data: { type: "wallet", id: "1" } },
      currency: { data: { type: "currency", id: "1002" } },
    },
  },
};
const vocabulary = {
  resourceTypes: new Set(["deposit", "wallet"]),
  isIncludable: (_: unknown, path: string) => path === "wallet",
};
const policy = compileCallbackPolicy(publicCallbacks);

/** What callers of the API send. */
export const requestTargets: readonly Target[] = [
  {
    name: "request-body",
    form: "json",
    seeds: () => [JSON.stringify(deposit)],
    words: ["1e5", "-0", "9007199254740993", "data", "attributes", "\\u0000", "\\ud800"],
    run: (input) => {
      const body = rejecting([Rejected], () => parseJson(input));
      const reading = rejecting([Rejected], () =>
        readDocumentWithFaults(newDepositDocument, body, () => undefined),
      );
      if (reading?.fingerprint.length === 0) throw new Error("no fingerprint");
    },
  },
  {
    name: "travel-rule",
    form: "json",
    seeds: () => [JSON.stringify(travelRule)],
    words: ["legalPerson", "nationalIdentification", "XX", "LEGL", "ß", "Ж", "ﷺ"],
    run: (input) => {
      const value = jsonOf(input);
      if (value === undefined) return;
      const reading = readTravelRule(value as JsonValue, "/data");
      if (reading.kind === "read")
        for (const format of ivmsFormats) exportIvms101(reading.info, null, format);
    },
  },
  {
    name: "query",
    form: "text",
    seeds: () => [
      "/deposit/?filter[status]=3&filter[created_at_from]=2026-01-01&sort=-id&page[size]=10&page[number]=2",
      "/deposit/?include=wallet&fields[deposit]=label,status&filter%5Blabel%5D=a&page[after]=abc",
    ],
    words: ["filter[", "]=", "&", "%00", "%ff", "page[number]=last", "__proto__"],
    run: (input) =>
      rejecting([Rejected], () =>
        readListQuery(queryParameters(textOf(input)), depositDefinition, vocabulary),
      ),
  },
  {
    name: "callback-url",
    form: "text",
    seeds: () => [
      "https://shop.example/paid?a=1",
      "https://[2001:db8::1]:8443/x",
      "https://1.1.1.1",
    ],
    words: [
      "http://",
      "@",
      "127.1",
      "[::ffff:127.0.0.1]",
      "0x7f.1",
      "localhost",
      "。",
      ".internal",
    ],
    run: (input) => {
      const parsed = parseCallbackUrl(textOf(input), policy);
      if ("refused" in parsed) return;
      const host = parsed.url.hostname.replace(/^\[|\]$/g, "");
      if (parsed.url.protocol !== "https:" || (isIP(host) !== 0 && !policy.mayReach(host)))
        throw new Error(`${parsed.url.href} is not a public address`);
    },
  },
  {
    name: "values",
    form: "text",
    seeds: () => [
      "1.5e-3",
      "-0.000000000000000001",
      "2026-02-28T23:59:60.123456789+05:30",
      "10.0.0.0/8",
    ],
    words: ["e", "-", "+00:00", "T", "Z", "/128", "::", "%eth0"],
    run: (input) => {
      const text = textOf(input);
      const decimal = parseDecimal(text, 18);
      if (decimal.kind === "units") {
        const again = parseDecimal(formatDecimal(decimal.units, 18), 18);
        if (again.kind !== "units" || again.units !== decimal.units)
          throw new Error(`${text} is ${decimal.units}, which does not read back`);
      }
      const at = parseTimestamp(text) ?? parseQueryTimestamp(text);
      if (at !== null && parseTimestamp(formatTimestamp(at)) !== at)
        throw new Error(`${text} does not read back`);
      parseNetwork(text);
      readSearchText(text);
    },
  },
];
