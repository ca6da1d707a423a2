// Registers the payment method with the checkout of blocks. The server does the rest: it answers with the payment page's address.
(() => {
  const { title, description } = window.wc.wcSettings.getSetting("sluice_data", {});
  const text = (content) => window.wp.element.createElement("span", null, content);
  window.wc.wcBlocksRegistry.registerPaymentMethod({
    name: "sluice",
    label: text(title),
    content: text(description),
    edit: text(description),
    canMakePayment: () => true,
    ariaLabel: title,
    supports: { features: ["products", "refunds"] },
  });
})();
