import type { LanguageCode } from "./languages/language-codes.ts";

type Words = {
  readonly title: string;
  readonly label: string;
  readonly send: string;
  readonly sent: (email: string) => string;
  /** Of a payment that is confirmed already. */
  readonly sentNow: (email: string) => string;
  readonly invalid: string;
  readonly failed: string;
};

/** Loaded with this form, so that the page's first load stays small. */
const words: Readonly<Record<LanguageCode, Words>> = {
  en: {
    title: "Receipt by email",
    label: "Email address",
    send: "Send receipt",
    sent: (email) => `The receipt goes to ${email} once the payment is confirmed.`,
    sentNow: (email) => `The receipt is on its way to ${email}.`,
    invalid: "Enter a valid email address.",
    failed: "The receipt could not be requested. Try again later.",
  },
  de: {
    title: "Beleg per E-Mail",
    label: "E-Mail-Adresse",
    send: "Beleg senden",
    sent: (email) => `Der Beleg geht an ${email}, sobald die Zahlung bestätigt ist.`,
    sentNow: (email) => `Der Beleg ist unterwegs an ${email}.`,
    invalid: "Geben Sie eine gültige E-Mail-Adresse ein.",
    failed: "Der Beleg konnte nicht angefordert werden. Versuchen Sie es später erneut.",
  },
  es: {
    title: "Recibo por correo electrónico",
    label: "Correo electrónico",
    send: "Enviar recibo",
    sent: (email) => `El recibo se enviará a ${email} cuando se confirme el pago.`,
    sentNow: (email) => `El recibo va de camino a ${email}.`,
    invalid: "Introduzca una dirección de correo válida.",
    failed: "No se ha podido solicitar el recibo. Inténtelo más tarde.",
  },
  zh: {
    title: "电子邮件收据",
    label: "电子邮件地址",
    send: "发送收据",
    sent: (email) => `付款确认后，收据将发送至 ${email}。`,
    sentNow: (email) => `收据正在发送至 ${email}。`,
    invalid: "请输入有效的电子邮件地址。",
    failed: "无法请求收据。请稍后重试。",
  },
};

/**
 * Shows a form that asks for an address to which the receipt is sent. Written with the DOM alone: sharing a library with the page would
 * split the page's first load and make it larger.
 */
export function show(section: HTMLElement): void {
  const update = (): void => {
    const [language = ""] = document.documentElement.lang.split("-");
    showForm(section, isLanguage(language) ? language : "en");
  };
  update();
  // The page's own texts change with this attribute, too.
  new MutationObserver(update).observe(document.documentElement, { attributeFilter: ["lang"] });
}

function isLanguage(code: string): code is LanguageCode {
  return Object.hasOwn(words, code);
}

function showForm(section: HTMLElement, language: LanguageCode): void {
  const text = words[language];
  const title = element("h2", { id: "mail-receipt-title" }, text.title);
  const label = element("label", { for: "mail-receipt" }, text.label);
  const field = element("input", {
    id: "mail-receipt",
    type: "email",
    dir: "ltr",
    autocomplete: "email",
    autocapitalize: "none",
    spellcheck: "false",
  });
  const error = element("p", { id: "mail-receipt-error", class: "error", role: "alert" });
  const button = element("button", { type: "submit", class: "button is-small" }, text.send);
  const row = element("div", { class: "row" });
  row.append(button);
  const form = element("form", { class: "refund-form", novalidate: "" });
  form.append(label, field, row);
  const fail = (reason: string): void => {
    error.textContent = reason;
    field.after(error);
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", error.id);
    field.focus();
  };
  // There before its text, so that screen readers read it out.
  const status = element("p", { role: "status" });
  let isSending = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const email = field.value.trim();
    if (email === "") fail(text.invalid);
    if (email === "" || isSending) return;
    isSending = true;
    void send(email, language).then((answer) => {
      isSending = false;
      if (answer !== 200) {
        fail(answer === 400 ? text.invalid : text.failed);
        return;
      }
      form.remove();
      const isPaid = section.dataset["paid"] === "true";
      status.textContent = isPaid ? text.sentNow(email) : text.sent(email);
    });
  });
  section.setAttribute("aria-labelledby", title.id);
  section.replaceChildren(title, form, status);
}

/** The status of the answer; null without one. */
async function send(email: string, language: LanguageCode): Promise<number | null> {
  const page = `${location.origin}${location.pathname.replace(/\/*$/, "/")}`;
  try {
    const { status } = await fetch(new URL("receipt/", page), {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify({ email, language }),
      credentials: "omit",
      signal: AbortSignal.timeout(20_000),
    });
    return status;
  } catch {
    return null;
  }
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  content = "",
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.textContent = content;
  return made;
}
