// A picture above each table that asks for one. The table is the truth: what cannot draw still reads.
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from "chart.js";

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
);

const words = (cell: Element | null): string => (cell?.textContent ?? "").replace(/\s+/g, " ").trim();

// A token may be one colour by day and another by night: the browser says which it is here.
function colour(token: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function colours(): { ink: string; line: string; series: string[] } {
  return { ink: colour("--muted"), line: colour("--line"), series: [colour("--accent"), colour("--k")] };
}

function draw(figure: HTMLElement): void {
  const table = figure.querySelector("table");
  if (!table) return;
  const heads = [...table.querySelectorAll("thead th")].map(words);
  const rows = [...table.querySelectorAll("tbody tr")];
  const isLine = figure.dataset.chart === "line";
  const { ink, line, series } = colours();
  const frame = document.createElement("div");
  frame.className = "chart-frame";
  const canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", figure.dataset.title ?? "");
  frame.append(canvas);
  figure.prepend(frame);
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.color = ink;
  new Chart(canvas, {
    type: isLine ? "line" : "bar",
    data: {
      labels: rows.map((row) => words(row.querySelector("th"))),
      datasets: heads.slice(1).map((label, place) => ({
        label,
        data: rows.map((row) => Number(words(row.querySelectorAll("td")[place] ?? null))),
        borderColor: series[place % series.length],
        backgroundColor: series[place % series.length],
        // Told apart without colour: the second line is dashed and has square points.
        borderDash: place ? [5, 4] : [],
        pointStyle: place ? "rect" : "circle",
        borderWidth: isLine ? 2 : 0,
        pointRadius: 3,
        maxBarThickness: 28,
      })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      indexAxis: isLine ? "x" : "y",
      plugins: { legend: { display: heads.length > 2, labels: { usePointStyle: true } } },
      scales: {
        x: { grid: { color: line }, beginAtZero: true, ticks: { precision: 0 } },
        y: { grid: { color: line }, beginAtZero: true, ticks: { precision: 0 } },
      },
    },
  });
}

const nearly = new IntersectionObserver(
  (seen) => {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting) continue;
      nearly.unobserve(target);
      draw(target as HTMLElement);
    }
  },
  { rootMargin: "200px" },
);
for (const figure of document.querySelectorAll<HTMLElement>(".chart")) nearly.observe(figure);
