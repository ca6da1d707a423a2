import { describe, expect, it } from "vitest";
import { normalizeDecimal } from "../../../page/src/normalize-decimal.ts";
import { applyUrlValue, createTypedText, submitTypedText, type TypedText } from "./typed-text.ts";

const type = (text: TypedText, typed: string): TypedText => ({ ...text, typed });
const submit = (text: TypedText): TypedText => submitTypedText(text) ?? text;

describe("applyUrlValue", () => {
  it("keeps what was typed after a submitted value when that value comes back", () => {
    const submitted = submit(type(createTypedText(""), "Order 1"));
    expect(applyUrlValue(type(submitted, "Order 12"), "Order 1").typed).toBe("Order 12");
  });

  it("keeps the typed text when a second value was submitted before the first came back", () => {
    const both = submit(type(submit(type(createTypedText(""), "Order 1")), "Order 12"));
    const first = applyUrlValue(both, "Order 1");
    expect(first).toEqual({ typed: "Order 12", applied: "Order 1", submitted: ["Order 12"] });
    expect(applyUrlValue(first, "Order 12")).toEqual({
      typed: "Order 12",
      applied: "Order 12",
      submitted: [],
    });
  });

  it("drops submitted values that a later one overtook", () => {
    const both = submit(type(submit(type(createTypedText(""), "a")), "ab"));
    const applied = applyUrlValue(both, "ab");
    expect(applied.submitted).toEqual([]);
    expect(applyUrlValue(applied, "a").typed).toBe("a");
  });

  it("replaces the typed text when the URL changes for another reason", () => {
    const applied = applyUrlValue(submit(type(createTypedText("before"), "after")), "after");
    expect(applyUrlValue(type(applied, "after all"), "")).toEqual(createTypedText(""));
  });
});

describe("submitTypedText", () => {
  it("trims the submitted value and leaves the typed text as it is", () => {
    const submitted = submit(type(createTypedText(""), "two "));
    expect(submitted.submitted).toEqual(["two"]);
    expect(applyUrlValue(submitted, "two").typed).toBe("two ");
  });

  it("submits an amount with a decimal point and leaves the typed comma as it is", () => {
    const typed = { ...createTypedText(""), typed: " 12,5" };
    const submitted = submitTypedText(typed, normalizeDecimal) ?? typed;
    expect(submitted).toEqual({ typed: " 12,5", applied: "", submitted: ["12.5"] });
    expect(applyUrlValue(submitted, "12.5")).toEqual({
      typed: " 12,5",
      applied: "12.5",
      submitted: [],
    });
  });

  it("submits the same value only once", () => {
    const submitted = submit(type(createTypedText(""), "once"));
    expect(submitTypedText(type(submitted, "once "))).toBeNull();
    expect(submitTypedText(applyUrlValue(submitted, "once"))).toBeNull();
    expect(submitTypedText(type(submitted, ""))?.submitted).toEqual(["once", ""]);
  });
});
