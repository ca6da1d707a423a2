import { encodeValue, type Value } from "./msgpack.ts";
import { jsonText } from "./print-json.ts";

/** What the node answers. */
export type Answer = {
  readonly status: number;
  readonly type: "application/json" | "application/msgpack";
  readonly body: string | Uint8Array;
};

/** An answer that says what is wrong. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function jsonAnswer(value: Value, status = 200): Answer {
  return { status, type: "application/json", body: `${jsonText(value)}\n` };
}

export function faultAnswer({ message, status }: Fault): Answer {
  return jsonAnswer({ message }, status);
}

/** A value in the format that the query asks for: JSON unless it is `msgpack`. */
export function formatted(value: Value, query: URLSearchParams): Answer {
  const format = (query.get("format") ?? "json").toLowerCase();
  if (format === "json") return jsonAnswer(value);
  if (format !== "msgpack" && format !== "msgp")
    throw new Fault(400, "failed to parse the format option");
  return { status: 200, type: "application/msgpack", body: encodeValue(value) };
}
