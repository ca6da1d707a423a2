// Opens payment pages in a dialog on a shop's own page. The shop includes this file from the service and marks a button:
// <button type="button" data-sluice-payment="https://pay.example/pay/...">Pay</button>, or calls Sluice.open(url).
// Plain JavaScript without dependencies; it works under a content security policy without inline styles.
(() => {
  const script = document.currentScript;
  if (window.Sluice !== undefined || !(script instanceof HTMLScriptElement)) return;
  const service = new URL(script.src).origin;

  /** Pages of the service that may be shown: payments and payment links. */
  const pageOf = (text) => {
    const url = new URL(text, document.baseURI);
    if (url.origin !== service || !/^\/(?:pay|link)\//.test(url.pathname))
      throw new TypeError(`Sluice: ${text} is not a payment page of ${service}`);
    return url.href;
  };

  // The browser leaves the frame empty on a site that the store does not allow, and tells the shop's page nothing about it.
  const reportMaxMs = { afterLoad: 5_000, afterOpening: 15_000 };
  const silences = {
    en: ["The payment page can\u2019t be shown here.", "Open it in a new tab"],
    de: ["Die Zahlungsseite kann hier nicht angezeigt werden.", "In einem neuen Tab \u00f6ffnen"],
    es: [
      "La p\u00e1gina de pago no se puede mostrar aqu\u00ed.",
      "Abrirla en una pesta\u00f1a nueva",
    ],
    zh: [
      "\u65e0\u6cd5\u5728\u6b64\u5904\u663e\u793a\u4ed8\u6b3e\u9875\u9762\u3002",
      "\u5728\u65b0\u6807\u7b7e\u9875\u4e2d\u6253\u5f00",
    ],
  };
  const silenceTexts = () =>
    [document.documentElement.lang, ...navigator.languages]
      .map((language) => silences[language.slice(0, 2).toLowerCase()])
      .find((texts) => texts !== undefined) ?? silences.en;

  const style = (element, properties) => {
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value);
    return element;
  };

  /** What a dialog shows in place of a frame whose page does not report itself. */
  const createSilence = (src) => {
    const [text, action] = silenceTexts();
    const link = style(document.createElement("a"), { color: "#0b6b57" });
    Object.assign(link, { href: src, target: "_blank", rel: "noopener", textContent: action });
    const silence = style(document.createElement("div"), {
      padding: "3.5rem 1.5rem 2rem",
      "border-radius": "0.875rem",
      background: "#ffffff",
      color: "#13201d",
      font: "1rem/1.5 system-ui, sans-serif",
    });
    silence.setAttribute("role", "alert");
    silence.append(text, document.createElement("br"), link);
    return silence;
  };

  /**
   * Shows a payment page in a dialog. `target` gets the events `sluice:state` (detail: id, stage, order), once for each stage, and
   * `sluice:close`. They are hints for the shop's page: only callbacks prove a payment.
   */
  const open = (text, { target = document, label = "Payment", closeLabel = "Close" } = {}) => {
    const src = pageOf(text);
    const dialog = style(document.createElement("dialog"), {
      padding: "0",
      border: "0",
      background: "transparent",
      width: "min(30rem, 100vw)",
      "max-width": "100vw",
      height: "min(48rem, 100dvh)",
      "max-height": "100dvh",
      overflow: "hidden",
    });
    dialog.setAttribute("aria-label", label);
    const frame = style(document.createElement("iframe"), {
      width: "100%",
      height: "100%",
      border: "0",
      "border-radius": "0.875rem",
      "color-scheme": "light dark",
    });
    frame.title = label;
    frame.allow = "clipboard-write";
    const close = style(document.createElement("button"), {
      position: "absolute",
      "inset-block-start": "0.25rem",
      "inset-inline-end": "0.25rem",
      width: "2.75rem",
      height: "2.75rem",
      border: "0",
      "border-radius": "50%",
      background: "rgb(19 32 29 / 85%)",
      color: "#ffffff",
      font: "1.25rem/1 system-ui, sans-serif",
      cursor: "pointer",
    });
    close.type = "button";
    close.textContent = "\u00d7";
    close.setAttribute("aria-label", closeLabel);

    let stage = null;
    const tell = (name, detail) =>
      target.dispatchEvent(new CustomEvent(`sluice:${name}`, { bubbles: true, detail }));
    const listen = ({ origin, source, data }) => {
      if (origin !== service || source !== frame.contentWindow || data?.source !== "sluice") return;
      hear();
      if (data.type === "ready") greet();
      if (data.type !== "state" || typeof data.stage !== "string" || data.stage === stage) return;
      stage = data.stage;
      tell("state", { id: data.id, stage, order: data.order });
    };
    // The page answers only to origins that the store allows, and tells its state only after this message.
    const greet = () =>
      frame.contentWindow?.postMessage({ source: "sluice-embed", type: "hello" }, service);
    let isHeard = false;
    let silence = null;
    const hear = () => {
      isHeard = true;
      clearTimeout(timer);
      silence?.remove();
      frame.style.removeProperty("display");
    };
    const reportSilence = () => {
      if (isHeard || silence !== null) return;
      silence = createSilence(src);
      style(frame, { display: "none" });
      dialog.prepend(silence);
      console.warn(
        `Sluice: the payment page does not report itself. If the browser blocks its frame, add ${location.origin} to the websites that may embed the payment page (store settings, frame_ancestors).`,
      );
    };
    let timer = setTimeout(reportSilence, reportMaxMs.afterOpening);
    window.addEventListener("message", listen);
    frame.addEventListener("load", () => {
      greet();
      clearTimeout(timer);
      timer = setTimeout(reportSilence, reportMaxMs.afterLoad);
    });
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      clearTimeout(timer);
      window.removeEventListener("message", listen);
      dialog.remove();
      tell("close", { stage });
    });
    // Before it is in the document, so that the frame's first load is the page's.
    frame.src = src;
    dialog.append(frame, close);
    document.body.append(dialog);
    dialog.showModal();
    return { close: () => dialog.close() };
  };

  window.Sluice = Object.freeze({ open });

  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element && event.target.closest("[data-sluice-payment]");
    if (!button || event.defaultPrevented) return;
    event.preventDefault();
    open(button.getAttribute("data-sluice-payment"), {
      target: button,
      label: button.getAttribute("data-sluice-label") ?? undefined,
      closeLabel: button.getAttribute("data-sluice-close-label") ?? undefined,
    });
  });
})();
