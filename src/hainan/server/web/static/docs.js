"use strict";
// Draws the OpenAPI document that this server serves: its calls by tag, and what goes in and comes out.

const METHODS = ["get", "post", "put", "patch", "delete"];

function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function resolved(api, schema) {
  if (!schema || !schema.$ref) return schema || {};
  return schema.$ref.split("/").slice(1).reduce((at, key) => at[key], api);
}

// A schema as the shape of a value: what a reader needs, rather than JSON Schema itself.
function shape(api, schema, seen = []) {
  if (schema && schema.$ref) {
    if (seen.includes(schema.$ref)) return "…";
    seen = [...seen, schema.$ref];
  }
  const found = resolved(api, schema);
  const either = found.oneOf || found.anyOf;
  if (either) {
    const shapes = either.map((one) => shape(api, one, seen));
    return shapes.every((one) => typeof one === "string") ? shapes.join(" | ") : shapes.find((one) => typeof one !== "string");
  }
  if (found.enum) return found.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (found.properties) {
    const required = found.required || [];
    return Object.fromEntries(Object.entries(found.properties).map(
      ([name, one]) => [required.includes(name) ? name : name + "?", shape(api, one, seen)]));
  }
  if (found.type === "array") return [found.items ? shape(api, found.items, seen) : "…"];
  return Array.isArray(found.type) ? found.type.join(" | ") : found.type || "any";
}

function body(api, content) {
  const media = content && Object.values(content)[0];
  if (!media || !media.schema) return null;
  return element("pre", JSON.stringify(shape(api, media.schema), null, 2));
}

function parameters(api, list) {
  const table = element("table");
  for (const given of list) {
    const parameter = resolved(api, given);
    const row = element("tr");
    row.append(
      element("td", parameter.name + (parameter.required ? "" : "?")),
      element("td", parameter.in),
      element("td", JSON.stringify(shape(api, parameter.schema))),
      element("td", parameter.description || ""));
    table.append(row);
  }
  return table;
}

function operation(api, path, method, call) {
  const details = element("details");
  const summary = element("summary");
  summary.append(element("code", method.toUpperCase(), "method"), element("code", path), " ", call.description || "");
  details.append(summary);
  if (call.parameters && call.parameters.length) {
    details.append(element("h4", "Parameters"), parameters(api, call.parameters));
  }
  const sent = call.requestBody && body(api, call.requestBody.content);
  if (sent) details.append(element("h4", "Body"), sent);
  for (const [status, answer] of Object.entries(call.responses || {})) {
    details.append(element("h4", status + " " + (answer.description || "")));
    const shown = Number(status) < 400 && Number(status) !== 204 && body(api, answer.content);
    if (shown) details.append(shown);
  }
  return details;
}

function draw(api) {
  const main = document.getElementById("api");
  document.getElementById("state").remove();
  main.append(element("p", api.info.description, "said"));
  const link = element("a", "OpenAPI " + api.openapi);
  link.href = "/api/openapi.json";
  main.append(link);
  const byTag = new Map();
  for (const [path, item] of Object.entries(api.paths)) {
    for (const method of METHODS.filter((one) => item[one])) {
      const tag = (item[method].tags || ["other"])[0];
      if (!byTag.has(tag)) byTag.set(tag, []);
      byTag.get(tag).push(operation(api, path, method, item[method]));
    }
  }
  for (const [tag, operations] of byTag) main.append(element("h2", tag), ...operations);
}

fetch("/api/openapi.json")
  .then((answer) => answer.json())
  .then(draw)
  .catch((error) => { document.getElementById("state").textContent = "The API's document can't be read: " + error; });
