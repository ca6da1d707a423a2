import { readFile } from "node:fs/promises";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { readSandboxFile } from "../../sandbox/sandbox-file.ts";
import { readConfig } from "../config/read-config.ts";
import { type ApiClient, type ApiPage, type ApiResource, openApi } from "./api-client.ts";
import type { CommandContext } from "./command-context.ts";
import { printTable } from "./print-table.ts";

/*
 * `sluice unattributed`: what operators do at `/unattributed/`, by the same requests. So rights, audit entries and screening are those
 * of the API.
 */

/** The API, and the operator's credential: the sandbox's Owner, or the JSON file of a deployment's operator. */
export type OperatorAccess =
  | { readonly kind: "sandbox"; readonly home: string }
  | {
      readonly kind: "deployment";
      readonly configFile: string;
      /** With the members `login` and `password`. */
      readonly credentialFile: string;
    };

/** More are counted, not listed. */
const listedMax = 100;

/** `sluice unattributed list`: prints the payments in that state, newest first. Rejects with the API's error text. */
export async function listUnattributed(
  access: OperatorAccess,
  state: string,
  context: CommandContext,
): Promise<void> {
  await asOperator(access, async (api) => {
    const page = await api.list(
      `/unattributed/?filter[state]=${state}&include=currency&page[size]=${listedMax}`,
    );
    if (page.data.length === 0) {
      context.print(`No unattributed payment is ${state}`);
      return;
    }
    const alphas = alphasOf(page);
    printTable(context, [
      ["ID", "RECEIVED", "AMOUNT", "TAG", "FROM", "TRANSACTION"],
      ...page.data.map((payment) => [
        payment.id,
        text(payment, "received_at"),
        `${text(payment, "amount")} ${alphas.get(payment.relationships?.["currency"]?.data?.id ?? "") ?? ""}`,
        text(payment, "tag", "none"),
        (payment.attributes["from_addresses"] as readonly string[]).join(","),
        text(payment, "txid"),
      ]),
    ]);
    const { pagination } = (page.meta ?? {}) as { pagination?: { readonly count: number } };
    const others = (pagination?.count ?? 0) - page.data.length;
    if (others > 0) context.print(`and ${others} more`);
  });
}

/** `sluice unattributed find`: prints the deposits to which a payment can be assigned. Rejects with the API's error text. */
export async function findDeposits(
  access: OperatorAccess,
  search: { readonly id: string; readonly text: string },
  context: CommandContext,
): Promise<void> {
  await asOperator(access, async (api) => {
    const { data } = await api.list(
      `${pathOf(search.id)}/assignable-deposit/?filter[text]=${encodeURIComponent(search.text)}`,
    );
    if (data.length === 0) {
      context.print("No deposit to which the payment can be assigned");
      return;
    }
    printTable(context, [
      ["DEPOSIT", "TAG", "REQUESTED", "PAID", "TRACKING ID", "ACCOUNT"],
      ...data.map((deposit) => [
        deposit.id,
        text(deposit, "tag"),
        text(deposit, "target_amount_requested", "any"),
        text(deposit, "target_paid"),
        text(deposit, "tracking_id", "none"),
        `${text(deposit, "account_id")} (${text(deposit, "account_name")})`,
      ]),
    ]);
  });
}

/** `sluice unattributed assign`. Rejects with the API's error text, and then nothing has changed. */
export async function assignUnattributed(
  access: OperatorAccess,
  order: { readonly id: string; readonly depositId: string; readonly reason: string },
  context: CommandContext,
): Promise<void> {
  const { id, depositId, reason } = order;
  await asOperator(access, async (api) => {
    const { data } = await api.post(`${pathOf(id)}/assign/`, {
      data: {
        type: "unattributed",
        attributes: { reason },
        relationships: { deposit: { data: { type: "deposit", id: depositId } } },
      },
    });
    context.print(
      `Payment ${data.id} of ${text(data, "amount")} is assigned to deposit ${depositId} of account ${text(data, "account_id")}`,
    );
  });
}

export type ReturnOrder = {
  readonly id: string;
  readonly reason: string;
  /** Null: the sender, if the chain names exactly one. */
  readonly address: string | null;
  readonly tag: string | null;
  readonly tagType: string | null;
  /** Null: print the fees and return nothing. */
  readonly fee: "low" | "medium" | "high" | null;
  /** JSON of the receiver's travel-rule data. */
  readonly travelRuleFile: string | null;
  /** Null: a new one. */
  readonly idempotencyKey: string | null;
};

/**
 * `sluice unattributed return`: quotes the fees and, if one is chosen, creates the payout that sends the money back. Rejects with
 * the API's error text, and then nothing has changed. The idempotency key is printed first: after a lost response the command can be
 * repeated with it.
 */
export async function returnUnattributed(
  access: OperatorAccess,
  order: ReturnOrder,
  context: CommandContext,
): Promise<void> {
  const { id, reason, tag, tagType } = order;
  const travelRule = await readJsonFile(order.travelRuleFile);
  await asOperator(access, async (api) => {
    const address = order.address ?? (await senderOf(api, id));
    const destination = {
      ...(tag === null ? {} : { tag }),
      ...(tagType === null ? {} : { tag_type: tagType }),
    };
    const { data: quote, meta } = await api.post(`${pathOf(id)}/return/calculate/`, {
      data: { type: "payout-calculation", attributes: { to_address: address, ...destination } },
    });
    const fees = quote.attributes["fee"] as Readonly<Record<"low" | "medium" | "high", string>>;
    context.print(
      `Returning ${(meta as { readonly amount: string }).amount} to ${address}${tag === null ? "" : `, tag ${tag}`}; network fee: low ${fees.low}, medium ${fees.medium}, high ${fees.high}`,
    );
    if (order.fee === null) {
      context.print("Nothing is returned yet: choose a fee with --fee low, medium or high");
      return;
    }
    const key = order.idempotencyKey ?? context.random.uuid();
    context.print(`Idempotency key ${key}. If no answer arrives, repeat with --key ${key}`);
    const { meta: returned } = await api.post(
      `${pathOf(id)}/return/`,
      {
        data: {
          type: "unattributed",
          attributes: {
            reason,
            address,
            ...destination,
            fee_amount: fees[order.fee],
            ...(travelRule === null ? {} : { travel_rule_info: travelRule }),
          },
        },
      },
      { "idempotency-key": key },
    );
    context.print(
      `Payment ${id} is returned by payout ${(returned as { readonly payout_id: string }).payout_id}`,
    );
  });
}

async function senderOf(api: ApiClient, id: string): Promise<string> {
  const { data } = await api.get(`${pathOf(id)}/`);
  const [sender, ...others] = new Set(data.attributes["from_addresses"] as readonly string[]);
  if (sender === undefined || others.length > 0)
    throw new Error("the chain names no single sender: pass --address");
  return sender;
}

async function asOperator(
  access: OperatorAccess,
  act: (api: ApiClient) => Promise<void>,
): Promise<void> {
  const api = await openAs(access);
  try {
    await act(api);
  } finally {
    await api.close();
  }
}

async function openAs(access: OperatorAccess): Promise<ApiClient> {
  if (access.kind === "sandbox") {
    const sandbox = await readSandboxFile(access.home);
    return openApi(access.home, sandbox, sandbox);
  }
  const config = await readConfig(access.configFile);
  return openApi(null, config, await readCredential(access.credentialFile));
}

async function readCredential(
  file: string,
): Promise<{ readonly login: string; readonly password: string }> {
  const { login, password } = (await readJsonFile(file)) ?? {};
  if (typeof login === "string" && typeof password === "string") return { login, password };
  throw new Error(`${file} has no text members login and password`);
}

async function readJsonFile(file: string | null): Promise<JsonObject | null> {
  if (file === null) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    // A parser's message may quote the file, which may hold a password.
    const reason = error instanceof SyntaxError ? "it is not JSON" : errorMessage(error);
    throw new Error(`${file} cannot be read: ${reason}`, { cause: error });
  }
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed))
    return parsed as JsonObject;
  throw new Error(`${file} holds no JSON object`);
}

function pathOf(id: string): string {
  return `/unattributed/${encodeURIComponent(id)}`;
}

function alphasOf({ included = [] }: ApiPage): ReadonlyMap<string, string> {
  return new Map(included.map((currency) => [currency.id, text(currency, "alpha")]));
}

function text({ attributes }: ApiResource, name: string, absent = ""): string {
  const value = attributes[name];
  return typeof value === "string" ? value : absent;
}
