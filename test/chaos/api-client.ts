import { errorMessage } from "../../src/platform/kernel/error-message.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";

const answerPatienceMs = 8_000;

/** A request as its client saw it; times of `performance.now()`. */
export type SeenCall = {
  readonly method: string;
  readonly path: string;
  readonly startedMs: number;
  readonly endedMs: number;
  /** Null without an answer: the connection broke, or patience ended. */
  readonly status: number | null;
  readonly retryAfter: string | null;
  /** Application codes of the answer's errors; what broke the connection. */
  readonly reasons: readonly string[];
};

type Answer = { readonly status: number; readonly body: unknown };

export type Resource = {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<
    Record<string, { readonly data: { readonly id: string } | null }>
  >;
};

export type PayoutOrder = {
  readonly wallet: string;
  readonly currency: string;
  readonly attributes: Readonly<Record<string, unknown>> & {
    readonly amount: string;
    readonly address: string;
  };
};

export type CreatedPayout =
  | { readonly kind: "created"; readonly id: string }
  | { readonly kind: "refused" };

/** What happens to the money of an Unresolved deposit. */
export type SettleOrder = {
  readonly depositId: string;
  readonly action: "accept" | "refund" | "partial";
  /** The refund address. */
  readonly address: string;
  readonly attributes: Readonly<Record<string, unknown>>;
};

export type Settled =
  | { readonly kind: "settled"; readonly payoutId: string | null }
  | { readonly kind: "refused" };

type ApiError = { readonly code: string; readonly meta?: { readonly payout_id?: string } };

/**
 * An integrator's client: logs in, retries lost and temporarily refused requests, and counts the responses. It takes turns between the
 * servers, also within one task, and asks the next one again where a connection broke.
 */
export class ApiClient {
  readonly #baseUrls: readonly string[];
  #turn = 0;
  readonly #login: { readonly login: string; readonly password: string };
  #access = "";
  /** The count of each response: `201`, `503`, `no answer`. */
  readonly answers = new Map<string, number>();
  /** Responses that no crash excuses. */
  readonly faults: string[] = [];

  readonly #patienceMs: number;
  readonly #onCall: (call: SeenCall) => void;
  readonly #passingCodes: readonly string[];

  constructor(
    baseUrls: readonly string[],
    login: { readonly login: string; readonly password: string },
    options: {
      readonly patienceMs?: number;
      readonly onCall?: (call: SeenCall) => void;
      /** Application codes of refusals that pass, besides those for which there is no address or price yet. */
      readonly passingCodes?: readonly string[];
    } = {},
  ) {
    this.#baseUrls = baseUrls;
    this.#login = login;
    this.#patienceMs = options.patienceMs ?? answerPatienceMs;
    this.#onCall = options.onCall ?? (() => undefined);
    this.#passingCodes = ["5005", "5006", ...(options.passingCodes ?? [])];
  }

  /** Always with the same idempotency key, so that it exists once. Null if `signal` aborted before it succeeded. */
  async createDeposit(
    attributes: Readonly<Record<string, unknown>>,
    relationships: Readonly<Record<string, { readonly type: string; readonly id: string } | null>>,
    signal: AbortSignal,
  ): Promise<Resource | null> {
    const data = {
      type: "deposit",
      attributes,
      relationships: Object.fromEntries(
        Object.entries(relationships).map(([name, value]) => [name, { data: value }]),
      ),
    };
    const headers = { "idempotency-key": systemRandom.uuid() };
    const statuses = [200, 201];
    const answer = await this.#insist("POST", "/deposit/", { data }, statuses, signal, headers);
    return answer === null ? null : dataOf(answer);
  }

  /** Null if `signal` aborted before it succeeded. */
  async deposit(id: string, signal: AbortSignal): Promise<Resource | null> {
    const answer = await this.#insist("GET", `/deposit/${id}/`, null, [200], signal);
    return answer === null ? null : dataOf(answer);
  }

  /**
   * Creates a payout at the currently quoted fee, always with the same idempotency key. Null if `signal` aborted before a
   * response: then its outcome is unknown.
   */
  async createPayout(
    order: PayoutOrder,
    key: string,
    signal: AbortSignal,
  ): Promise<CreatedPayout | null> {
    const relationships = {
      wallet: { data: { type: "wallet", id: order.wallet } },
      currency: { data: { type: "currency", id: order.currency } },
    };
    const { amount, address } = order.attributes;
    const calculation = { type: "payout-calculation", attributes: { amount, to_address: address } };
    const question = { data: { ...calculation, relationships } };
    for (;;) {
      const path = "/payout/calculate/";
      const quote = await this.#insist("POST", path, question, [200, 400], signal);
      if (quote === null) return null;
      if (quote.status === 400) return this.#lacksFunds(path, quote);
      const { medium } = dataOf(quote).attributes["fee"] as { readonly medium: string };
      const attributes = { ...order.attributes, fee_amount: medium };
      const document = { data: { type: "payout", attributes, relationships } };
      const created = await this.#insistOnPayout(document, key, signal);
      if (created?.kind !== "overtaken") return created;
    }
  }

  /** `overtaken`: the fee is no longer accepted. */
  async #insistOnPayout(
    document: unknown,
    key: string,
    signal: AbortSignal,
  ): Promise<CreatedPayout | { readonly kind: "overtaken" } | null> {
    const headers = { "idempotency-key": key };
    const statuses = [201, 400, 409];
    const answer = await this.#insist("POST", "/payout/", document, statuses, signal, headers);
    if (answer === null) return null;
    if (answer.status === 201) return { kind: "created", id: dataOf(answer).id };
    const [error] = (answer.body as { readonly errors: readonly ApiError[] }).errors;
    if (answer.status === 409 && error?.meta?.payout_id !== undefined) {
      return { kind: "created", id: error.meta.payout_id };
    }
    if (error?.code === "4009") return { kind: "overtaken" };
    return this.#lacksFunds("/payout/", answer);
  }

  /** The wallet lacks the money at the moment; everything else is a fault. */
  #lacksFunds(path: string, answer: Answer): CreatedPayout {
    const { errors } = answer.body as { readonly errors: readonly ApiError[] };
    if (!errors.every(({ code }) => code === "4008")) this.#complain("POST", path, answer);
    return { kind: "refused" };
  }

  /** Mostly too late: whatever is signed is sent. */
  async cancelPayout(id: string, signal: AbortSignal): Promise<void> {
    await this.#insist("POST", `/payout/${id}/cancel/`, null, [200, 400, 403, 409], signal);
  }

  /** Deposits that wait for a decision; null if `signal` aborted before it succeeded. */
  async unresolvedDeposits(signal: AbortSignal): Promise<readonly Resource[] | null> {
    const path = "/deposit/?filter[status]=5&page[size]=100";
    const answer = await this.#insist("GET", path, null, [200], signal);
    return answer === null ? null : (answer.body as { readonly data: readonly Resource[] }).data;
  }

  /**
   * Decides about an Unresolved deposit, always with the same idempotency key. Null if `signal` aborted before a response: then
   * its outcome is unknown.
   */
  async settle(order: SettleOrder, key: string, signal: AbortSignal): Promise<Settled | null> {
    const { action, address } = order;
    const path = `/deposit/${order.depositId}/resolve/`;
    const question = {
      data: { type: "payout-calculation", attributes: { action, to_address: address } },
    };
    for (;;) {
      let attributes: Readonly<Record<string, unknown>> = { action };
      if (action !== "accept") {
        const quote = await this.#insist("POST", `${path}calculate/`, question, [200, 400], signal);
        if (quote === null) return null;
        if (quote.status === 400) return this.#refused(`${path}calculate/`, quote);
        const { medium } = dataOf(quote).attributes["fee"] as { readonly medium: string };
        attributes = { ...order.attributes, action, address, fee_amount: medium };
      }
      const document = { data: { type: "deposit", attributes } };
      const headers = { "idempotency-key": key };
      const answer = await this.#insist("POST", path, document, [200, 400, 409], signal, headers);
      if (answer === null) return null;
      const { meta, errors } = answer.body as {
        readonly meta?: ApiError["meta"];
        readonly errors?: readonly ApiError[];
      };
      const payoutId = (meta ?? errors?.[0]?.meta)?.payout_id ?? null;
      if (answer.status === 200 || payoutId !== null) return { kind: "settled", payoutId };
      // The fee was accepted a moment ago.
      if (errors?.[0]?.code !== "4009") return this.#refused(path, answer);
    }
  }

  /**
   * Not final yet, already decided by a request whose response was lost, less than its fee, or to a receiver that has not accepted the asset;
   * everything else is a fault.
   */
  #refused(path: string, answer: Answer): Settled {
    const { errors } = answer.body as { readonly errors: readonly ApiError[] };
    if (!errors.every(({ code }) => ["1007", "4013", "4019", "7001"].includes(code)))
      this.#complain("POST", path, answer);
    return { kind: "refused" };
  }

  /** The resource at that path; null if there is none, or if `signal` aborted before it succeeded. */
  async find(path: string, signal: AbortSignal): Promise<Resource | null> {
    const answer = await this.#insist("GET", path, null, [200, 404], signal);
    return answer?.status === 200 ? dataOf(answer) : null;
  }

  /** A page of the feed after a sequence number; null if `signal` aborted before it succeeded. */
  async eventsAfter(seq: number, signal: AbortSignal): Promise<readonly Resource[] | null> {
    const path = `/event/?filter[after]=${seq}&page[size]=100`;
    const answer = await this.#insist("GET", path, null, [200], signal);
    return answer === null ? null : (answer.body as { readonly data: readonly Resource[] }).data;
  }

  async #insist(
    method: string,
    path: string,
    body: unknown,
    wanted: readonly number[],
    signal: AbortSignal,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer | null> {
    let server = this.#nextServer();
    while (!signal.aborted) {
      const answer = await this.#ask(server, method, path, body, headers);
      if (answer === null) server += 1;
      if (answer?.status === 401) await this.#logIn(server);
      else if (answer !== null && !this.#isPassing(answer)) {
        if (wanted.includes(answer.status)) return answer;
        this.#complain(method, path, answer);
        return null;
      }
      await systemClock.sleep(200, signal);
    }
    return null;
  }

  #complain(method: string, path: string, { status, body }: Answer): void {
    this.faults.push(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
  }

  /** Its number; beyond the last one they begin again. */
  #nextServer(): number {
    this.#turn += 1;
    return this.#turn;
  }

  async #logIn(server: number): Promise<void> {
    const answer = await this.#ask(server, "POST", "/token/", {
      data: { type: "auth-token", attributes: this.#login },
    });
    if (answer?.status !== 200) return;
    const { data } = answer.body as { readonly data: Resource };
    this.#access = String(data.attributes["access"]);
  }

  /** Null for a refused or broken connection, and for no response. */
  async #ask(
    server: number,
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer | null> {
    const startedMs = performance.now();
    const baseUrl = this.#baseUrls[server % this.#baseUrls.length] ?? "";
    const seen = (call: Pick<SeenCall, "status" | "retryAfter" | "reasons">): void => {
      this.#onCall({ method, path, startedMs, endedMs: performance.now(), ...call });
    };
    try {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          ...headers,
          "content-type": "application/vnd.api+json",
          ...(this.#access === "" ? {} : { authorization: `Bearer ${this.#access}` }),
        },
        signal: AbortSignal.timeout(this.#patienceMs),
        ...(body === null ? {} : { body: JSON.stringify(body) }),
      });
      const answer = { status: response.status, body: await response.json() };
      this.#count(String(answer.status));
      const retryAfter = response.headers.get("retry-after");
      seen({ status: answer.status, retryAfter, reasons: codesOf(answer) });
      // An unavailable part of the deployment must be reported as such; anything else is a bug of ours.
      if (answer.status === 500) this.#complain(method, path, answer);
      return answer;
    } catch (error) {
      this.#count("no answer");
      const cause = error instanceof Error ? error.cause : null;
      const reasons = [error, cause].filter((one) => one instanceof Error).map(errorMessage);
      seen({ status: null, retryAfter: null, reasons });
      return null;
    }
  }

  /** Temporarily refused: the service or its database is down, or there is no address or price yet. */
  #isPassing({ status, body }: Answer): boolean {
    if (status >= 500 || status === 429 || status === 408) return true;
    const { errors } = body as { readonly errors?: readonly { readonly code: string }[] };
    return errors?.every(({ code }) => this.#passingCodes.includes(code)) ?? false;
  }

  #count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
  }
}

function codesOf({ body }: Answer): readonly string[] {
  const { errors = [] } = body as { readonly errors?: readonly ApiError[] };
  return errors.map(({ code }) => code);
}

function dataOf({ body }: Answer): Resource {
  return (body as { readonly data: Resource }).data;
}
