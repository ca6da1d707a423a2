import { expect, test } from "vitest";
import { beginTyping, hearAddress, passOn, type TypedText } from "./typed-text.ts";

const type = (text: TypedText, typed: string): TypedText => ({ ...text, typed });
const pass = (text: TypedText): TypedText => passOn(text) ?? text;

test("what comes back from the address takes nothing away of what was typed meanwhile", () => {
  const passed = pass(type(beginTyping(""), "Order 1"));
  expect(hearAddress(type(passed, "Order 12"), "Order 1").typed).toBe("Order 12");
});

test("nor does it where the next words were passed on before the former came back", () => {
  const both = pass(type(pass(type(beginTyping(""), "Order 1")), "Order 12"));
  const first = hearAddress(both, "Order 1");
  expect(first).toEqual({ typed: "Order 12", known: "Order 1", passed: ["Order 12"] });
  expect(hearAddress(first, "Order 12")).toEqual({
    typed: "Order 12",
    known: "Order 12",
    passed: [],
  });
});

test("words that the later ones overtook are not waited for", () => {
  const both = pass(type(pass(type(beginTyping(""), "a")), "ab"));
  const heard = hearAddress(both, "ab");
  expect(heard.passed).toEqual([]);
  expect(hearAddress(heard, "a").typed).toBe("a");
});

test("a change from elsewhere takes the place of what was typed", () => {
  const passed = hearAddress(pass(type(beginTyping("before"), "after")), "after");
  expect(hearAddress(type(passed, "after all"), "")).toEqual(beginTyping(""));
});

test("the blanks around the words stay where they are typed, and are not passed on", () => {
  const passed = pass(type(beginTyping(""), "two "));
  expect(passed.passed).toEqual(["two"]);
  expect(hearAddress(passed, "two").typed).toBe("two ");
});

test("the same words are passed on once", () => {
  const passed = pass(type(beginTyping(""), "once"));
  expect(passOn(type(passed, "once "))).toBeNull();
  expect(passOn(hearAddress(passed, "once"))).toBeNull();
  expect(passOn(type(passed, ""))?.passed).toEqual(["once", ""]);
});
