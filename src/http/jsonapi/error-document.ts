import {
  precedenceOf,
  Rejected,
  type Rejection,
  type RejectionName,
  type RejectionSource,
  rejection,
  rejections,
} from "../../platform/kernel/rejection.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";

/** An error document: JSON:API 1.1, "Error Objects". */
export type ErrorAnswer = {
  readonly name: RejectionName;
  readonly status: number;
  readonly body: {
    readonly errors: readonly ErrorObject[];
    /** The errors' `meta`, repeated for readers of the document's meta. */
    readonly meta?: Readonly<Record<string, string>>;
  };
};

type ErrorObject = {
  readonly status: string;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly source?: RejectionSource;
  /** The request's id. */
  readonly id: string;
  readonly meta?: Readonly<Record<string, string>>;
};

/** The response to anything that was thrown. Only a `Rejected` shows the caller more than its row of the table. */
export function errorAnswer(thrown: unknown, requestId: string): ErrorAnswer {
  const reported = foremost(thrown instanceof Rejected ? thrown.rejections : [unexplained(thrown)]);
  const name = reported[0]?.name ?? "internal";
  return {
    name,
    status: rejections[name].status,
    body: { errors: reported.map((one) => errorObject(one, requestId)), ...metaOf(reported) },
  };
}

function metaOf(reported: readonly Rejection[]): Pick<ErrorAnswer["body"], "meta"> {
  const meta = Object.assign({}, ...reported.map((one) => one.meta)) as Record<string, string>;
  return Object.keys(meta).length === 0 ? {} : { meta };
}

function unexplained(thrown: unknown): Rejection {
  if (!(thrown instanceof Unavailable))
    return rejection("internal", "An internal error occurred. It has been logged.");
  return thrown.what === "database"
    ? rejection("serviceUnavailable", "The service is not ready. Retry shortly.")
    : rejection("nodeUnavailable", "A blockchain node did not answer correctly. Retry later.");
}

/**
 * Of several rejections, those of the first row of the table, sorted by pointer. On the same field a specific code takes
 * precedence over `invalidValue`.
 */
function foremost(all: readonly Rejection[]): readonly Rejection[] {
  const specific = new Set(
    all.filter((one) => one.name !== "invalidValue").map((one) => place(one)),
  );
  const kept = all.filter(
    (one) => one.name !== "invalidValue" || one.source === undefined || !specific.has(place(one)),
  );
  const first = Math.min(...kept.map((one) => precedenceOf(one.name)));
  return kept
    .filter((one) => precedenceOf(one.name) === first)
    .toSorted((left, right) => (place(left) < place(right) ? -1 : 1));
}

function place(one: Rejection): string {
  return Object.values(one.source ?? {}).join("");
}

function errorObject(one: Rejection, requestId: string): ErrorObject {
  const { status, code, title } = rejections[one.name];
  return {
    status: String(status),
    code,
    title,
    detail: one.detail,
    ...(one.source === undefined ? {} : { source: one.source }),
    id: requestId,
    ...(one.meta === undefined ? {} : { meta: one.meta }),
  };
}
